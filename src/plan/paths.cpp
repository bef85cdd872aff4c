#include "plan/paths.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

namespace meshmul {
namespace {

auto time_key(const Path& path) { return std::tie(path.seconds, path.sent_bytes, path.num_moves); }

bool beats(const Path& a, const Path& b) { return a.memory_bytes <= b.memory_bytes && time_key(a) <= time_key(b); }

/// Dijkstra's algorithm with a set of labels per state (Martins 1984). Paths leave the queue in the order of their time
/// key, so one that leaves it unbeaten stays so, and extends no path to a state that a settled one with no more memory
/// has reached.
class PathSearch {
 public:
  PathSearch(const ArrayStates& states, Direction direction, Deadlines deadlines)
      : states_(states),
        direction_(direction),
        deadlines_(std::move(deadlines)),
        unbeaten_(static_cast<std::size_t>(states.space().size())),
        fastest_(unbeaten_.size()),
        worst_(static_cast<std::size_t>(states.classes().num_classes())),
        settled_memory_(unbeaten_.size(), std::numeric_limits<double>::infinity()) {}

  void add(const Path& candidate) {
    Fastest& fastest = fastest_[static_cast<std::size_t>(candidate.state)];
    if (fastest.beats({candidate.seconds, candidate.memory_bytes})) return;
    if (!deadlines_.is_in_time(candidate.state, candidate.seconds)) return;
    std::vector<int>& rivals = unbeaten_[static_cast<std::size_t>(candidate.state)];
    if (std::any_of(rivals.begin(), rivals.end(), [&](int id) { return beats(path(id), candidate); })) return;
    std::erase_if(rivals, [&](int id) { return beats(candidate, path(id)); });
    const auto id = static_cast<int>(paths_.size());
    rivals.push_back(id);
    paths_.push_back(candidate);
    if (candidate.seconds < fastest.seconds) fastest = {candidate.seconds, candidate.memory_bytes};
    queue_.push({candidate, id});
  }

  void run() {
    while (!queue_.empty()) {
      const int id = queue_.top().id;
      queue_.pop();
      const Path settled = path(id);
      const std::vector<int>& rivals = unbeaten_[static_cast<std::size_t>(settled.state)];
      if (std::find(rivals.begin(), rivals.end(), id) == rivals.end()) continue;
      settled_memory_[static_cast<std::size_t>(settled.state)] = settled.memory_bytes;
      extend(settled, id);
    }
    for (std::vector<int>& ids : unbeaten_)
      std::sort(ids.begin(), ids.end(), [&](int a, int b) { return time_key(path(a)) < time_key(path(b)); });
  }

  std::vector<Path> take_paths() { return std::move(paths_); }
  std::vector<std::vector<int>> take_unbeaten() { return std::move(unbeaten_); }

 private:
  /// Slower ones leave later, then larger; the order of ties is that of the states.
  struct Queued {
    Path path;
    int id;
    bool operator<(const Queued& other) const {
      return std::tuple(time_key(other.path), other.path.memory_bytes, other.path.state) <
             std::tuple(time_key(path), path.memory_bytes, path.state);
    }
  };

  /// The fastest path of a state so far: it beats most others, and this is all that has to be known of it.
  struct Fastest {
    double seconds = std::numeric_limits<double>::infinity();
    double memory_bytes = std::numeric_limits<double>::infinity();
    bool beats(const Fastest& other) const { return seconds < other.seconds && memory_bytes <= other.memory_bytes; }
  };

  const Path& path(int id) const { return paths_[static_cast<std::size_t>(id)]; }

  void extend(const Path& settled, int id) {
    const StateClasses& classes = states_.classes();
    const int here = classes.class_of(settled.state);
    const auto place = static_cast<std::size_t>(classes.place_of(settled.state));
    for (const ClassInReach& reach :
         direction_ == Direction::kFromAnchors ? classes.after(here) : classes.before(here)) {
      const Fastest least{settled.seconds + reach.seconds, settled.memory_bytes + reach.new_bytes};
      if (least.seconds > deadlines_.latest()) continue;
      const std::vector<int>& others = classes[reach.number].states;
      if (reach.same_dims)
        extend_to(others[place], settled, id, least);
      else
        extend_to_class(reach.number, settled, id, least);
    }
  }

  /// `least` is what every path by way of `settled` takes.
  void extend_to_class(int number, const Path& settled, int id, const Fastest& least) {
    Fastest& worst = worst_[static_cast<std::size_t>(number)];
    if (worst.beats(least)) return;
    worst = {0, 0};
    for (const int other : states_.classes()[number].states) {
      extend_to(other, settled, id, least);
      const Fastest fastest = needed(other);
      worst = {std::max(worst.seconds, fastest.seconds), std::max(worst.memory_bytes, fastest.memory_bytes)};
    }
  }

  /// A path to `other` that this beats is of no use: another one is better, or it comes too late.
  Fastest needed(int other) const {
    const Fastest& fastest = fastest_[static_cast<std::size_t>(other)];
    const double latest = deadlines_.latest(other);
    return latest < fastest.seconds ? Fastest{latest, 0} : fastest;
  }

  void extend_to(int other, const Path& settled, int id, const Fastest& least) {
    if (settled_memory_[static_cast<std::size_t>(other)] <= settled.memory_bytes) return;
    if (needed(other).beats(least)) return;
    const bool forward = direction_ == Direction::kFromAnchors;
    const auto edge = forward ? states_.edge(settled.state, other) : states_.edge(other, settled.state);
    if (!edge) return;
    const bool is_last = !forward && settled.next == -1;
    add({settled.seconds + edge->seconds, settled.sent_bytes + edge->sent_bytes, settled.num_moves + 1,
         settled.memory_bytes + (is_last ? edge->new_bytes_last : edge->new_bytes), other, id});
  }

  const ArrayStates& states_;
  Direction direction_;
  Deadlines deadlines_;
  std::vector<Path> paths_;
  std::vector<std::vector<int>> unbeaten_;  // by state
  std::vector<Fastest> fastest_;            // by state
  std::vector<Fastest> worst_;              // by class: no state of it is worse in either
  std::vector<double> settled_memory_;      // by state: of the last settled path, which takes the least
  std::priority_queue<Queued> queue_;
};

/// Where `array` lies: one state, or every complete one if its sharding is open.
std::vector<int> places(const ArrayType& array, const StateSpace& space) {
  if (array.open) return space.complete_states();
  return {space.find(space.axes().pack(array.sharding))};
}

}  // namespace

std::vector<Anchor> input_anchors(const ArrayType& input, const StateSpace& space) {
  std::vector<Anchor> anchors;
  for (const int state : places(input, space)) anchors.push_back({state, space.bytes(state)});
  return anchors;
}

std::vector<Anchor> output_anchors(const ArrayType& output, const StateSpace& space) {
  std::vector<Anchor> anchors;
  for (const int state : places(output, space)) anchors.push_back({state, 0});
  return anchors;
}

PathTable::PathTable(const ArrayStates& states, Direction direction, std::span<const Anchor> anchors,
                     Deadlines deadlines)
    : direction_(direction) {
  PathSearch search(states, direction, std::move(deadlines));
  for (const Anchor& anchor : anchors) search.add({0, 0, 0, anchor.memory_bytes, anchor.state, -1});
  search.run();
  paths_ = search.take_paths();
  by_state_ = search.take_unbeaten();
}

std::vector<int> PathTable::states_along(int id) const {
  std::vector<int> along;
  for (int at = id; at != -1; at = path(at).next) along.push_back(path(at).state);
  if (direction_ == Direction::kFromAnchors) std::reverse(along.begin(), along.end());
  return along;
}

}  // namespace meshmul
