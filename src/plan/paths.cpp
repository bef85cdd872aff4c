#include "plan/paths.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace meshmul {
namespace {

auto time_key(const Path& path) { return std::tie(path.seconds, path.sent_bytes, path.num_moves); }

bool beats(const Path& a, const Path& b) { return a.memory_bytes <= b.memory_bytes && time_key(a) <= time_key(b); }

/// Where `array` lies: one state, or every complete one if its sharding is open.
std::vector<int> places(const ArrayType& array, const ArrayStates& states, const AxisNumbering& axes) {
  if (array.open) return states.complete_states();
  return {states.find(axes.pack(array.sharding))};
}

}  // namespace

std::vector<Anchor> input_anchors(const ArrayType& input, const ArrayStates& states, const AxisNumbering& axes) {
  std::vector<Anchor> anchors;
  for (const int state : places(input, states, axes)) anchors.push_back({state, states.bytes(state)});
  return anchors;
}

std::vector<Anchor> output_anchors(const ArrayType& output, const ArrayStates& states, const AxisNumbering& axes) {
  std::vector<Anchor> anchors;
  for (const int state : places(output, states, axes)) anchors.push_back({state, 0});
  return anchors;
}

// Dijkstra's algorithm with a set of labels per state (Martins 1984). Labels leave the queue in the order of their time
// key, so a label that leaves it can only be beaten by an earlier one of its state, and only in memory.
PathTable::PathTable(const ArrayStates& states, Direction direction, std::span<const Anchor> anchors)
    : direction_(direction), by_state_(static_cast<std::size_t>(states.num_states())) {
  // Later in the queue: slower, then larger, then younger, which makes the order of ties that of the states.
  const auto later = [this](int a, int b) {
    const Path& x = path(a);
    const Path& y = path(b);
    return std::tie(x.seconds, x.sent_bytes, x.num_moves, x.memory_bytes, a) >
           std::tie(y.seconds, y.sent_bytes, y.num_moves, y.memory_bytes, b);
  };
  std::priority_queue<int, std::vector<int>, decltype(later)> queue(later);
  std::vector<std::vector<int>> waiting(by_state_.size());
  const auto add = [&](const Path& candidate) {
    std::vector<int>& rivals = waiting[static_cast<std::size_t>(candidate.state)];
    if (std::any_of(rivals.begin(), rivals.end(), [&](int id) { return beats(path(id), candidate); })) return;
    std::erase_if(rivals, [&](int id) { return beats(candidate, path(id)); });
    rivals.push_back(static_cast<int>(paths_.size()));
    queue.push(static_cast<int>(paths_.size()));
    paths_.push_back(candidate);
  };

  for (const Anchor& anchor : anchors) add({0, 0, 0, anchor.memory_bytes, anchor.state, -1});
  std::vector<std::vector<Edge>> edges(by_state_.size());
  while (!queue.empty()) {
    const int id = queue.top();
    queue.pop();
    const Path current = path(id);
    const auto state = static_cast<std::size_t>(current.state);
    if (std::find(waiting[state].begin(), waiting[state].end(), id) == waiting[state].end()) continue;  // beaten
    if (by_state_[state].empty())
      edges[state] =
          direction == Direction::kFromAnchors ? states.edges_from(current.state) : states.edges_into(current.state);
    by_state_[state].push_back(id);
    const bool is_last = direction == Direction::kToAnchors && current.next == -1;
    for (const Edge& edge : edges[state])
      add({current.seconds + edge.seconds, current.sent_bytes + edge.sent_bytes, current.num_moves + 1,
           current.memory_bytes + (is_last ? edge.new_bytes_last : edge.new_bytes), edge.other, id});
  }
}

std::vector<int> PathTable::states_along(int id) const {
  std::vector<int> along;
  for (int at = id; at != -1; at = path(at).next) along.push_back(path(at).state);
  if (direction_ == Direction::kFromAnchors) std::reverse(along.begin(), along.end());
  return along;
}

}  // namespace meshmul
