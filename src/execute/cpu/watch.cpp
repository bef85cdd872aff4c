#include "watch.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

// How often the controller looks after its ranks, and asks whether it is interrupted.
constexpr milliseconds kWatchPeriod{20};

Error rank_error(const std::string& sentence) { return Error(ErrorCode::kRankFailed, sentence); }

// Changes whenever a rank becomes ready, begins a run or finishes an op.
std::uint64_t progress(const WorldMemory& memory) {
  std::uint64_t sum = memory.world().returned.load();
  for (int rank = 0; rank < memory.num_ranks(); ++rank) {
    sum += static_cast<std::uint64_t>(memory.rank(rank).state.load());
    sum += memory.rank(rank).runs.load(std::memory_order_relaxed);
    for (const LanePosition& position : memory.positions(rank)) sum += position.load(std::memory_order_relaxed);
  }
  return sum;
}

std::optional<int> find_failed(const WorldMemory& memory) {
  for (int rank = 0; rank < memory.num_ranks(); ++rank)
    if (memory.rank(rank).state.load() == RankState::kFailed) return rank;
  return std::nullopt;
}

// Throws if there has been no progress for `still`, and that is too long.
void require_progress(const Watch& watch, nanoseconds still) {
  // The deadline leaves room for the longest op; a stopped rank will not end its op, however long that may take.
  const nanoseconds deadline_of_stopped = watch.options.deadline;
  const auto stopped = still > deadline_of_stopped && watch.crew != nullptr ? watch.crew->find_stopped() : std::nullopt;
  if (!stopped && still <= watch.deadline) return;
  const nanoseconds passed = stopped ? deadline_of_stopped : watch.deadline;
  throw rank_error(
      fmt::format("no rank made progress for {} ms: {}", std::chrono::duration_cast<milliseconds>(passed).count(),
                  stopped ? fmt::format("{} {}", stopped->sentence, watch.whereabouts(stopped->rank)) : watch.stall()));
}

}  // namespace

void watch(const Watch& watch, const std::function<bool()>& done) {
  WorldControl& world = watch.memory.world();
  std::uint64_t last_progress = progress(watch.memory);
  Clock::time_point last_change = Clock::now();
  while (!world.controller.sleep_until([&] { return world.stop.load() || done(); }, kWatchPeriod)) {
    if (watch.options.interrupted && watch.options.interrupted())
      throw Error(ErrorCode::kInterrupted, "the run was interrupted");
    if (const auto dead = watch.crew != nullptr ? watch.crew->find_dead() : std::nullopt)
      throw rank_error(fmt::format("{} {}", dead->sentence, watch.whereabouts(dead->rank)));
    if (const std::uint64_t now = progress(watch.memory); now != last_progress) {
      last_progress = now;
      last_change = Clock::now();
    } else {
      require_progress(watch, Clock::now() - last_change);
    }
  }
  if (const auto failed = find_failed(watch.memory)) {
    const RankControl& rank = watch.memory.rank(*failed);
    throw Error(rank.code,
                fmt::format("rank {} failed {}: {}", *failed, watch.whereabouts(*failed), rank.message.data()));
  }
}

}  // namespace meshmul
