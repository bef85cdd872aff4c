#include "lane_clocks.hpp"

#include <algorithm>
#include <cassert>

namespace meshmul::verification {

LaneClocks::LaneClocks(const Schedule& schedule)
    : num_signals_(schedule.signals.size()), words_(schedule.ranks.size() * schedule.signals.size()) {
  std::size_t num_lanes = 0;
  for (const RankProgram& program : schedule.ranks) {
    first_lane_.push_back(num_lanes);
    num_lanes += program.lanes.size();
  }
  clocks_.resize(num_lanes);
  snapshots_.resize(num_lanes);
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        const auto* wait = std::get_if<Wait>(&op);
        if (wait == nullptr || wait->threshold == 0) continue;
        std::vector<Published>& increments = words_[word(rank, wait->signal)].increments;
        if (increments.size() < wait->threshold) increments.resize(wait->threshold);
        ++increments[wait->threshold - 1].waits_left;
      }
}

void LaneClocks::pass(std::size_t lane, int op, int rank, const Wait& wait) {
  if (wait.threshold == 0) return;
  WordState& state = words_[word(rank, wait.signal)];
  assert(state.value >= wait.threshold);
  const auto is_lane = [&](const Reader& reader) { return reader.lane == lane; };
  auto reader = std::find_if(state.readers.begin(), state.readers.end(), is_lane);
  if (reader == state.readers.end()) reader = state.readers.insert(reader, {lane, {}});
  if (reader->waits.empty() || reader->waits.back().threshold < wait.threshold)
    reader->waits.push_back({wait.threshold, op});
  Published& awaited = state.increments[wait.threshold - 1];
  clocks_[lane].learn(*awaited.clock);
  clocks_[lane].learn(static_cast<int>(awaited.lane), awaited.num_ops);
  snapshots_[lane] = nullptr;
  if (--awaited.waits_left == 0) awaited.clock = nullptr;
}

Increment LaneClocks::raise(std::size_t lane, int num_ops, const Raise& raise) {
  const std::size_t raised = word(raise.rank, raise.signal);
  WordState& state = words_[raised];
  const std::uint64_t number = ++state.value;
  if (number <= state.increments.size() && state.increments[number - 1].waits_left > 0) {
    if (snapshots_[lane] == nullptr) snapshots_[lane] = std::make_shared<const Knowledge>(clocks_[lane]);
    Published& published = state.increments[number - 1];
    published.lane = lane;
    published.num_ops = num_ops;
    published.clock = snapshots_[lane];
  }
  return {raised, number};
}

bool LaneClocks::knows(std::size_t lane, const Increment& increment) const {
  for (const Reader& reader : words_[increment.word].readers) {
    const auto comes_before = [](const PassedWait& wait, std::uint64_t number) { return wait.threshold < number; };
    const auto first = std::lower_bound(reader.waits.begin(), reader.waits.end(), increment.number, comes_before);
    if (first != reader.waits.end() && knows(lane, reader.lane, first->op)) return true;
  }
  return false;
}

}  // namespace meshmul::verification
