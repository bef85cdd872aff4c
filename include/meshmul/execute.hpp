#pragma once
// Runs schedules on a backend: what every executor offers, and the list of those that this build has.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul {

struct ExecuteOptions {
  /// Time without progress on any rank after which a run fails; raised to 10 x the predicted time of the longest op.
  std::chrono::milliseconds deadline{30'000};
  /// `reference`: seed of the adversarial order. Ignored elsewhere.
  std::uint64_t seed = 0;
  /// Fill every buffer that is not an input with a pattern that shows (NaN in floats) before the first run.
  bool poison = false;
  /// Note when each op starts and ends, for `Session::timeline`: two readings of the clock an op.
  bool record = false;
  /// Polled during a run; true ends it with Error(kInterrupted). May be empty.
  std::function<bool()> interrupted;
  /// `cuda`: so many neighbouring ranks share a GPU, at least 1. Default: as few as there are GPUs for. Ignored
  /// elsewhere.
  std::optional<int> ranks_per_gpu = {};
  /// Local product library: empty chooses by CPU; otherwise the name of one (`reference`, `openblas`, `onednn`).
  std::string kernels;
};

/// What one run did, or several in one go.
struct RunReport {
  double seconds = 0;                    ///< of all of them: from the first rank's start to the last rank's end
  std::vector<std::int64_t> peak_bytes;  ///< per rank: its buffers plus its private memory at the highest point seen
  std::string kernels;                   ///< the local product libraries used, as they are printed
};

/// A schedule that is loaded on a backend: its buffers and signals exist. Any number of runs, one at a time.
class Session {
 public:
  virtual ~Session() = default;

  /// The memory of `buffer` at `rank`, row-major in its declared shape. Valid between runs; the host writes inputs
  /// there before a run and reads outputs there after it. Empty for a private buffer that holds no input or output of
  /// any rank: it is out of reach of all but its rank.
  virtual std::span<std::byte> buffer(int rank, int buffer) = 0;

  /// Where `buffer` of `rank` lies in memory of its device, on a backend that keeps it there (`cuda`); null on all
  /// others, and for a private buffer out of reach. Row-major in its declared shape; good until `reset` or the end of
  /// the session. Whoever works on it there does so between runs: what they have enqueued is over before `run` is
  /// called. What `buffer` handed out since the last run is written over it when the next one begins, so inputs are
  /// written there or here. What was written here is seen by the next run; by `buffer` if that is called after this has
  /// been.
  virtual std::byte* device_buffer(int /*rank*/, int /*buffer*/) { return nullptr; }

  /// One epoch. Throws Error(kRankFailed) naming the rank, op and signal if a rank dies, throws or stalls; the session
  /// is then poisoned and every further run throws the same until `reset`.
  RunReport run() { return run(1); }
  /// `times` epochs, at least 1, one right behind the other without the host between them: a rank that is done goes on. Only
  /// the last one leaves its outputs and its timeline. Throws Error(kInvalidArgument) if `times` is less than 1, or more and
  /// the schedule requires the barrier between runs; `legalize` makes one that does not.
  virtual RunReport run(std::int64_t times) = 0;

  /// When each op of the last run took place. Waits begin when their lane comes to them. Nothing without
  /// `ExecuteOptions::record`, before the first run and after one that failed.
  virtual std::optional<Timeline> timeline() const = 0;

  /// Builds new buffers and signals (the contents of all buffers are lost).
  virtual void reset() = 0;
};

/// A way to run schedules.
class Executor {
 public:
  virtual ~Executor() = default;
  virtual std::string_view name() const = 0;
  virtual Capabilities capabilities() const = 0;
  /// Loads a legalized schedule. Throws Error(kUnsupported) naming the op that needs more than `capabilities`, and
  /// Error(kOutOfMemory) with both numbers when the heap does not fit the memory that is available.
  virtual std::unique_ptr<Session> open(Schedule schedule, const ExecuteOptions& options) const = 0;
};

/// `reference`, `threads`, `processes`, `cuda`; null if there is none of that name in this build, or no GPU for `cuda`
/// on this machine. The driver of GPUs is started if it is `cuda` that is asked for, and by `executors`.
const Executor* find_executor(std::string_view name);
/// All that there are.
std::vector<const Executor*> executors();

/// The path of meshmul-rank, the program that every rank of `processes` runs, for when it lies neither beside this program
/// nor where it is installed relative to programs. Every program that is built with the package of an installed meshmul
/// calls this before main.
void set_rank_program(std::string path);

}  // namespace meshmul
