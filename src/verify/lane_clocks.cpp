#include "lane_clocks.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace meshmul::verification {

LaneClocks::LaneClocks(const Schedule& schedule, const LaneTable& lanes, int num_runs)
    : num_signals_(schedule.signals.size()),
      num_lanes_(lanes.size()),
      clocks_(static_cast<std::size_t>(num_lanes_) * static_cast<std::size_t>(num_lanes_)),
      snapshots_(static_cast<std::size_t>(num_lanes_), kNone),
      words_(schedule.ranks.size() * schedule.signals.size()) {
  count_waits(schedule, num_runs);
}

void LaneClocks::count_waits(const Schedule& schedule, int num_runs) {
  const auto for_each_op = [&](const auto& visit) {
    for (int rank = 0; rank < schedule.num_ranks(); ++rank)
      for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
        for (const Op& op : lane.ops) visit(rank, op);
  };
  if (num_runs > 1)
    for_each_op([this](int rank, const Op& op) {
      for (const Raise& raise : raises_of(op, rank)) ++words_[word(raise.rank, raise.signal)].per_run;
    });
  for_each_op([&](int rank, const Op& op) {
    const auto* wait = std::get_if<Wait>(&op);
    if (wait == nullptr) return;
    WordState& state = words_[word(rank, wait->signal)];
    for (int run = 0; run < num_runs; ++run) {
      const std::uint64_t number = wait->threshold + static_cast<std::uint64_t>(run) * state.per_run;
      if (number == 0) continue;
      if (state.increments.size() < number) state.increments.resize(number);
      ++state.increments[number - 1].waits_left;
    }
  });
}

void LaneClocks::pass(int lane, int moment, int rank, const Wait& wait, int run) {
  WordState& state = words_[word(rank, wait.signal)];
  const std::uint64_t number = wait.threshold + static_cast<std::uint64_t>(run) * state.per_run;
  if (number == 0) return;
  assert(state.value >= number);
  const auto is_lane = [&](const Reader& reader) { return reader.lane == lane; };
  auto reader = std::find_if(state.readers.begin(), state.readers.end(), is_lane);
  if (reader == state.readers.end()) reader = state.readers.insert(reader, {lane, {}});
  if (reader->waits.empty() || reader->waits.back().threshold < number) reader->waits.push_back({number, moment});
  Published& awaited = state.increments[number - 1];
  merge(lane, counts_of(pool_[static_cast<std::size_t>(awaited.snapshot)]), awaited.lane, awaited.num_ops);
  if (--awaited.waits_left == 0) drop_use(awaited.snapshot);
}

Increment LaneClocks::raise(int lane, int num_ops, const Raise& raise) {
  const std::size_t raised = word(raise.rank, raise.signal);
  WordState& state = words_[raised];
  const std::uint64_t number = ++state.value;
  if (number <= state.increments.size() && state.increments[number - 1].waits_left > 0) {
    Published& published = state.increments[number - 1];
    published.lane = lane;
    published.num_ops = num_ops;
    published.snapshot = use_snapshot(lane);
  }
  return {raised, number};
}

void LaneClocks::learn(int lane, int other, int num_ops) { merge(lane, row(other), other, num_ops); }

void LaneClocks::merge(int lane, const int* counts, int other, int num_ops) {
  int* mine = row(lane);
  int& current = snapshots_[static_cast<std::size_t>(lane)];
  if (current != kNone) {
    Snapshot& snapshot = pool_[static_cast<std::size_t>(std::exchange(current, kNone))];
    snapshot.copy.assign(mine, mine + num_lanes_);
    snapshot.is_copy = true;
  }
  for (int i = 0; i < num_lanes_; ++i) mine[i] = std::max(mine[i], counts[i]);
  mine[other] = std::max(mine[other], num_ops);
}

int LaneClocks::use_snapshot(int lane) {
  int& current = snapshots_[static_cast<std::size_t>(lane)];
  if (current == kNone) {
    if (free_.empty()) {
      free_.push_back(static_cast<int>(pool_.size()));
      pool_.emplace_back();
    }
    current = free_.back();
    free_.pop_back();
    Snapshot& snapshot = pool_[static_cast<std::size_t>(current)];
    snapshot.lane = lane;
    snapshot.is_copy = false;
  }
  ++pool_[static_cast<std::size_t>(current)].uses;
  return current;
}

void LaneClocks::drop_use(int snapshot) {
  Snapshot& used = pool_[static_cast<std::size_t>(snapshot)];
  if (--used.uses > 0) return;
  if (!used.is_copy) snapshots_[static_cast<std::size_t>(used.lane)] = kNone;
  free_.push_back(snapshot);
}

bool LaneClocks::knows(int lane, const Increment& increment) const {
  for (const Reader& reader : words_[increment.word].readers) {
    const auto comes_before = [](const PassedWait& wait, std::uint64_t number) { return wait.threshold < number; };
    const auto first = std::lower_bound(reader.waits.begin(), reader.waits.end(), increment.number, comes_before);
    if (first != reader.waits.end() && knows(lane, reader.lane, first->moment)) return true;
  }
  return false;
}

}  // namespace meshmul::verification
