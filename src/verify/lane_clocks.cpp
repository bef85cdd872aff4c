#include "lane_clocks.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

namespace meshmul::verification {
namespace {

constexpr int kBits = 32;  // of an int

// By far the most work of the clocks. Apart, so that the compiler sees that nothing else changes meanwhile.
void learn(int* mine, const int* news, int count) {
  for (int i = 0; i < count; ++i) mine[i] = mine[i] < news[i] ? news[i] : mine[i];
}

}  // namespace

LaneClocks::LaneClocks(const Schedule& schedule, const LaneTable& lanes, const TokenRun& run, bool is_followed)
    : num_signals_(schedule.signals.size()),
      lanes_(lanes),
      num_lanes_(lanes.size()),
      row_size_(num_lanes_ + (is_followed ? (schedule.num_ranks() + kBits - 1) / kBits : 0)),
      clocks_(static_cast<std::size_t>(num_lanes_) * static_cast<std::size_t>(row_size_)),
      snapshots_(static_cast<std::size_t>(num_lanes_), kNone),
      words_(schedule.ranks.size() * schedule.signals.size()),
      is_followed_(is_followed),
      heard_(is_followed ? static_cast<std::size_t>(num_lanes_) : 0) {
  count_waits(run);
  if (!is_followed) return;
  find_late_words(run);
  for (int lane = 0; lane < num_lanes_; ++lane) {
    const int rank = lanes.rank(lane);
    row(lane)[num_lanes_ + rank / kBits] |= static_cast<int>(1U << static_cast<unsigned>(rank % kBits));
  }
}

void LaneClocks::count_waits(const TokenRun& run) {
  for (const TokenRun::PassedWait& wait : run.waits) {
    if (wait.threshold == 0) continue;
    WordState& state = words_[wait.word];
    if (state.increments.size() < wait.threshold) state.increments.resize(wait.threshold);
    ++state.increments[wait.threshold - 1].waits_left;
  }
}

void LaneClocks::find_late_words(const TokenRun& run) {
  for (const TokenRun::PassedWait& wait : run.waits) {
    WordState& state = words_[wait.word];
    if (state.late == kNone && run.counters[wait.word] > state.increments.size()) {
      state.late = static_cast<int>(late_.size());
      late_.push_back(wait.word);
      state.increments.resize(run.counters[wait.word]);
      ++state.increments.back().waits_left;  // the wait of the next run
    }
    if (state.late != kNone)
      late_waits_.push_back({lanes_.number(wait.place.rank, wait.place.lane), wait.place.op, state.late});
  }
}

std::vector<LateWord> LaneClocks::late_words() const {
  std::vector<LateWord> words;
  for (const std::size_t late : late_) {
    const Published& last = words_[late].increments.back();
    const int* counts = row_of(pool_[static_cast<std::size_t>(last.snapshot)]);
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
  merge(lane, moment, row_of(pool_[static_cast<std::size_t>(awaited.snapshot)]), awaited.lane, awaited.num_ops);
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

void LaneClocks::merge(int lane, int moment, const int* news, int other, int num_ops) {
  if (other == lane) return;
  int* mine = row(lane);
  int& current = snapshots_[static_cast<std::size_t>(lane)];
  if (current != kNone) {
    Snapshot& snapshot = pool_[static_cast<std::size_t>(std::exchange(current, kNone))];
    snapshot.copy.assign(mine, mine + row_size_);
    snapshot.is_copy = true;
  }
  if (is_followed_) note_heard(lane, moment, news, other, num_ops);
  learn(mine, news, num_lanes_);
  mine[other] = std::max(mine[other], num_ops + 1);
}

void LaneClocks::note_heard(int lane, int moment, const int* news, int other, int num_ops) {
  int* mine = row(lane);
  std::vector<Heard>& heard = heard_[static_cast<std::size_t>(lane)];
  for (const LateWait& wait : late_waits_) {
    const int learned = wait.lane == other ? std::max(news[other], num_ops + 1) : news[wait.lane];
    if (mine[wait.lane] <= wait.moment + 1 && learned > wait.moment + 1) heard.push_back({moment, -1, wait.late_word});
  }
  for (int i = num_lanes_; i < row_size_; ++i) {
    auto unheard = static_cast<unsigned>(news[i]) & ~static_cast<unsigned>(mine[i]);
    mine[i] |= news[i];
    for (; unheard != 0; unheard &= unheard - 1)
      heard.push_back({moment, (i - num_lanes_) * kBits + std::countr_zero(unheard), -1});
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
