#pragma once
// What ranks and their controller tell each other. Lies in memory that all of them share, so it holds no pointers.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "doorbell.hpp"
#include "meshmul/error.hpp"

namespace meshmul {

/// Words that different threads write lie on lines of their own.
inline constexpr std::size_t kCacheLine = 64;

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "only lock-free words work across processes");

/// One per world. Rings nobody by itself: whoever changes a word that others wait for rings them.
struct alignas(kCacheLine) WorldControl {
  std::atomic<std::uint64_t> requested{0};  ///< runs asked for since the world was built; the controller writes it
  std::atomic<bool> stop{false};            ///< leave the run at the next op or wait: the world has failed
  std::atomic<bool> quit{false};            ///< ranks are to end

  /// Runs that ranks have left, summed over ranks; the last one rings `controller`.
  alignas(kCacheLine) std::atomic<std::uint64_t> returned{0};
  Doorbell controller;
};

enum class RankState : std::uint32_t {
  kStarting,
  kReady,   ///< has loaded its program; runs or waits for a run
  kFailed,  ///< threw: `message` says what; it has set `stop`
};

/// One per rank, written by that rank (peers ring its bell).
struct alignas(kCacheLine) RankControl {
  static constexpr std::int32_t kNoLane = -1;

  Doorbell doorbell;

  /// The lane whose op is under way, or kNoLane while the rank waits. Only for reports.
  alignas(kCacheLine) std::atomic<std::int32_t> current_lane{kNoLane};
  std::atomic<RankState> state{RankState::kStarting};
  std::atomic<std::uint64_t> runs{0};  ///< that this rank has finished
  /// Of the runs asked for last, by the clock that processes share.
  std::atomic<std::int64_t> began_nanoseconds{0};
  std::atomic<std::int64_t> ended_nanoseconds{0};
  std::atomic<std::int64_t> private_bytes{0};  ///< largest private memory seen; stays 0 where ranks share a process

  // Written before `state` becomes kFailed, never again.
  ErrorCode code = ErrorCode::kRankFailed;
  std::array<char, 448> message{};  ///< ends with 0
};

/// Ops of one lane that are finished in this run. Only the rank writes it; from all of them together the controller
/// sees progress, and where a rank stands.
using LanePosition = std::atomic<std::uint32_t>;

/// When an op of the last run started, and when it was done.
struct OpTimes {
  std::int64_t began_nanoseconds = 0;
  std::int64_t ended_nanoseconds = 0;
};

/// A signal word. Alone on its line, since each has a writer of its own.
struct alignas(kCacheLine) SignalWord {
  std::atomic<std::uint64_t> value{0};
  std::uint64_t raises_per_run = 0;  ///< never changes once ranks have been started
};

}  // namespace meshmul
