#pragma once
// The tasks of the lanes of one device, as the kernel of lanes reads them, and the protocol by which its workers do
// them: one source for device and host. A task is cut into shares. Each worker walks all lanes, and takes shares of the
// task at which a lane stands once what comes before it has come; nobody waits for one lane while another one could go
// on. However many workers there are, and whichever of them are late, all shares are taken.

#include <cstdint>

#include "execute/cuda/device_op_times.hpp"
#include "execute/cuda/element_loops.hpp"
#include "execute/cuda/element_rows.hpp"
#include "execute/cuda/flat_product.hpp"
#include "execute/cuda/row_copy.hpp"
#include "execute/cuda/signal_protocol.hpp"
#include "execute/cuda/signals.hpp"

namespace meshmul::cuda {

struct LaneTask {
  enum class Work : std::int32_t { kNothing, kRows, kElementRows, kElements, kProduct };
  Work work = Work::kNothing;
  std::int32_t index = 0;  ///< in the table of its work
  std::int32_t lane = 0;
  std::int32_t end_wait = 0;  ///< the waits of a lane lie together: those of a task end here
  std::int32_t first_raise = 0;
  std::int32_t num_raises = 0;
  std::int32_t num_shares = 1;
  std::int32_t op = 0;  ///< number among the ops of all ranks, for its times; -1: it has none
};

/// Tasks `first_task` to `end_task` (not included), waits from `first_wait` on.
struct TaskLane {
  std::int32_t first_task = 0;
  std::int32_t end_task = 0;
  std::int32_t first_wait = 0;

  MESHMUL_HOST_DEVICE std::int32_t num_tasks() const { return end_task - first_task; }
};

/// All pointers are to memory of the device.
struct LaneWork {
  const TaskLane* lanes = nullptr;
  const LaneTask* tasks = nullptr;
  const SignalWait* waits = nullptr;
  const SignalRaise* raises = nullptr;
  const RowCopy* rows = nullptr;
  const ElementRows* element_rows = nullptr;
  const ElementLoops* loops = nullptr;
  const FlatProduct* products = nullptr;
  std::uint32_t* taken = nullptr;     ///< shares in this run, by task, or more: 0 when it begins
  std::uint32_t* finished = nullptr;  ///< shares, by task; only grow, modulo 2^32
  std::uint64_t* done = nullptr;      ///< tasks, by lane, one after the other; only grow
  std::uint64_t* present = nullptr;   ///< by multiprocessor: the number of runs in which it had a block; only grow
  const std::uint64_t* epoch = nullptr;
  DeviceOpTimes* times = nullptr;  ///< by op; null if nobody wants them
  WaitControl control;
  std::int32_t num_lanes = 0;
};

/// The wait for task `number` of a lane, counted from 0, and all ahead of it to be done.
MESHMUL_HOST_DEVICE inline SignalWait wait_for_task(const std::uint64_t* done, std::int32_t num_tasks,
                                                    std::int32_t number, std::int32_t op) {
  return {.word = done,
          .raises_per_run = static_cast<std::uint64_t>(num_tasks),
          .threshold = static_cast<std::uint64_t>(number) + 1,
          .op = op};
}

/// Where one worker stands in one lane.
class LaneWalk {
 public:
  MESHMUL_HOST_DEVICE LaneWalk(const LaneWork& work, std::int32_t lane) {
    if (lane >= work.num_lanes) return;
    const TaskLane& tasks = work.lanes[lane];
    task_ = tasks.first_task;
    end_ = tasks.end_task;
    wait_ = tasks.first_wait;
  }

  MESHMUL_HOST_DEVICE bool done() const { return task_ >= end_; }
  MESHMUL_HOST_DEVICE std::int32_t task() const { return task_; }
  /// No share of the task is left.
  MESHMUL_HOST_DEVICE void advance() { ++task_; }

  /// Whether all waits ahead of the task have passed: an acquire, if so.
  template <class Memory>
  MESHMUL_HOST_DEVICE bool ready(const LaneWork& work, std::uint64_t run, const Memory& memory) {
    if (done()) return false;
    for (const std::int32_t end = work.tasks[task_].end_wait; wait_ < end; ++wait_)
      if (!passes(work.waits[wait_], run, memory)) return false;
    return true;
  }

  /// Of a lane that is not done and was not ready: leaves the record if the wait that it stands at has taken longer than
  /// it may.
  template <class Memory>
  MESHMUL_HOST_DEVICE void look_at_clock(const LaneWork& work, std::uint64_t run, const Memory& memory) {
    const std::uint64_t now = memory.nanoseconds();
    if (since_ == 0 || timed_ != wait_) {
      since_ = now;
      timed_ = wait_;
    } else if (now - since_ >= work.control.budget_ns) {
      expire(work.waits[wait_], run, work.control, memory);
    }
  }

 private:
  std::int32_t task_ = 0;
  std::int32_t end_ = 0;
  std::int32_t wait_ = 0;
  std::int32_t timed_ = 0;  // the wait that `since_` tells of
  std::uint64_t since_ = 0;
};

/// Takes a share of a task that is ready: its number, or one that it does not have if none is left.
template <class Memory>
MESHMUL_HOST_DEVICE inline std::int32_t take_share(const LaneWork& work, std::int32_t task, const Memory& memory) {
  return static_cast<std::int32_t>(memory.fetch_add(&work.taken[task], 1U));
}

/// Shares of a task that are finished at the end of run `run`, modulo 2^32.
MESHMUL_HOST_DEVICE inline std::uint32_t shares_at_end(const LaneTask& task, std::uint64_t run) {
  return static_cast<std::uint32_t>(run + 1) * static_cast<std::uint32_t>(task.num_shares);
}

/// Ends a share, behind whose writes this thread is. Whoever ends the last one of a task, when all tasks ahead of it in
/// its lane are done, raises its signals, and those of the tasks behind it that are finished too.
template <class Memory>
MESHMUL_HOST_DEVICE inline void finish_share(const LaneWork& work, std::int32_t task_number, std::uint64_t run,
                                             const Memory& memory) {
  const LaneTask& finished_task = work.tasks[task_number];
  memory.fence();
  if (memory.fetch_add(&work.finished[task_number], 1U) + 1 != shares_at_end(finished_task, run)) return;
  if (work.times != nullptr && finished_task.op >= 0) work.times[finished_task.op].end = memory.nanoseconds();
  const TaskLane& lane = work.lanes[finished_task.lane];
  const std::uint64_t first = run * static_cast<std::uint64_t>(lane.num_tasks());
  while (true) {
    // Between counting and looking: of two who finish neighbouring tasks at once, one has to see the other.
    memory.fence();
    const std::uint64_t done = memory.fetch_add(&work.done[finished_task.lane], std::uint64_t{0});
    const auto next = static_cast<std::int64_t>(done - first);
    if (next < 0 || next >= lane.num_tasks()) return;
    const std::int32_t number = lane.first_task + static_cast<std::int32_t>(next);
    const LaneTask& task = work.tasks[number];
    if (memory.fetch_add(&work.finished[number], 0U) != shares_at_end(task, run)) return;
    memory.fence();
    if (memory.compare_and_swap(&work.done[finished_task.lane], done, done + 1) != done) continue;
    for (std::int32_t i = 0; i < task.num_raises; ++i) {
      const SignalRaise& raise = work.raises[task.first_raise + i];
      memory.raise_release(raise.word, raised_value(raise, run));
    }
  }
}

}  // namespace meshmul::cuda
