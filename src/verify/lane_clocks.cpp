#include "lane_clocks.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace meshmul::verification {
namespace {

template <class Visit>
void for_each_wait(const Schedule& schedule, const LaneTable& table, Visit visit) {
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t i = 0; i < lanes[lane].ops.size(); ++i)
        if (const auto* wait = std::get_if<Wait>(&lanes[lane].ops[i]))
          visit(table.number(rank, static_cast<int>(lane)), static_cast<int>(i), rank, *wait);
  }
}

}  // namespace

LaneClocks::LaneClocks(const Schedule& schedule, const LaneTable& lanes, const std::vector<std::uint64_t>& counters,
                       bool is_followed)
    : num_signals_(schedule.signals.size()),
      num_lanes_(lanes.size()),
      clocks_(static_cast<std::size_t>(num_lanes_) * static_cast<std::size_t>(num_lanes_)),
      snapshots_(static_cast<std::size_t>(num_lanes_), kNone),
      words_(schedule.ranks.size() * schedule.signals.size()),
      is_followed_(is_followed),
      heard_(is_followed ? static_cast<std::size_t>(num_lanes_) : 0) {
  count_waits(schedule, lanes);
  if (is_followed) find_late_words(schedule, lanes, counters);
}

void LaneClocks::count_waits(const Schedule& schedule, const LaneTable& lanes) {
  for_each_wait(schedule, lanes, [this](int /*lane*/, int /*moment*/, int rank, const Wait& wait) {
    if (wait.threshold == 0) return;
    WordState& state = words_[word(rank, wait.signal)];
    if (state.increments.size() < wait.threshold) state.increments.resize(wait.threshold);
    ++state.increments[wait.threshold - 1].waits_left;
  });
}

void LaneClocks::find_late_words(const Schedule& schedule, const LaneTable& lanes,
                                 const std::vector<std::uint64_t>& counters) {
  for_each_wait(schedule, lanes, [&](int lane, int moment, int rank, const Wait& wait) {
    const std::size_t awaited = word(rank, wait.signal);
    WordState& state = words_[awaited];
    if (state.late == kNone && counters[awaited] > state.increments.size()) {
      state.late = static_cast<int>(late_.size());
      late_.push_back(awaited);
      state.increments.resize(counters[awaited]);
      ++state.increments.back().waits_left;  // the wait of the next run
    }
    if (state.late != kNone) late_waits_.push_back({lane, moment, state.late});
  });
}

std::vector<LateWord> LaneClocks::late_words() const {
  std::vector<LateWord> words;
  for (const std::size_t late : late_) {
    const Published& last = words_[late].increments.back();
    const int* counts = counts_of(pool_[static_cast<std::size_t>(last.snapshot)]);
    words.push_back({late, std::vector<int>(counts, counts + num_lanes_)});
    int& of_writer = words.back().counts[static_cast<std::size_t>(last.lane)];
    of_writer = std::max(of_writer, last.num_ops + 1);
  }
  return words;
}

void LaneClocks::pass(int lane, int moment, int rank, const Wait& wait) {
  WordState& state = words_[word(rank, wait.signal)];
  if (is_followed_ && state.late != kNone) heard_[static_cast<std::size_t>(lane)].push_back({moment, -1, state.late});
  if (wait.threshold == 0) return;
  assert(state.value >= wait.threshold);
  const auto is_lane = [&](const Reader& reader) { return reader.lane == lane; };
  auto reader = std::find_if(state.readers.begin(), state.readers.end(), is_lane);
  if (reader == state.readers.end()) reader = state.readers.insert(reader, {lane, {}});
  if (reader->waits.empty() || reader->waits.back().threshold < wait.threshold)
    reader->waits.push_back({wait.threshold, moment});
  Published& awaited = state.increments[wait.threshold - 1];
  merge(lane, moment, counts_of(pool_[static_cast<std::size_t>(awaited.snapshot)]), awaited.lane, awaited.num_ops);
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

void LaneClocks::merge(int lane, int moment, const int* counts, int other, int num_ops) {
  int* mine = row(lane);
  int& current = snapshots_[static_cast<std::size_t>(lane)];
  if (current != kNone) {
    Snapshot& snapshot = pool_[static_cast<std::size_t>(std::exchange(current, kNone))];
    snapshot.copy.assign(mine, mine + num_lanes_);
    snapshot.is_copy = true;
  }
  if (is_followed_) note_heard(lane, moment, counts, other, num_ops);
  for (int i = 0; i < num_lanes_; ++i) mine[i] = std::max(mine[i], counts[i]);
  mine[other] = std::max(mine[other], num_ops + 1);
}

void LaneClocks::note_heard(int lane, int moment, const int* counts, int other, int num_ops) {
  const int* mine = row(lane);
  std::vector<Heard>& heard = heard_[static_cast<std::size_t>(lane)];
  for (const LateWait& wait : late_waits_) {
    const int learned = wait.lane == other ? std::max(counts[other], num_ops + 1) : counts[wait.lane];
    if (mine[wait.lane] <= wait.moment + 1 && learned > wait.moment + 1) heard.push_back({moment, -1, wait.late_word});
  }
  if (mine[other] == 0 && counts[other] == 0) heard.push_back({moment, other, -1});
  int num_new = 0;  // mostly none, which a loop without branches shows fastest
  for (int i = 0; i < num_lanes_; ++i) num_new += static_cast<int>(mine[i] == 0) & static_cast<int>(counts[i] > 0);
  for (int i = 0; num_new > 0; ++i) {
    if (mine[i] > 0 || counts[i] == 0) continue;
    heard.push_back({moment, i, -1});
    --num_new;
  }
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

}  // namespace meshmul::verification
