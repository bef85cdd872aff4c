#pragma once
// The tasks of the lanes of one device, made ready for it: all tables in its memory.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/lane_work.hpp"

namespace meshmul::cuda {

/// In memory of the host.
struct LaneTables {
  std::vector<TaskLane> lanes;
  std::vector<LaneTask> tasks;
  std::vector<SignalWait> waits;
  std::vector<SignalRaise> raises;
  std::vector<RowCopy> rows;
  std::vector<ElementRows> element_rows;
  std::vector<ElementLoops> loops;
  std::vector<FlatProduct> products;
};

/// What the kernel of lanes counts in, from 0 on, in memory of the device that is current when it is made.
class LaneState {
 public:
  LaneState() = default;
  LaneState(int num_tasks, int num_lanes);

  int num_tasks() const { return num_tasks_; }
  /// By lane: tasks that are done.
  std::uint64_t* done(int lane) const { return memory_.as<std::uint64_t>() + lane; }
  std::uint64_t* present() const { return done(num_lanes_); }
  std::uint32_t* taken() const;
  std::uint32_t* finished() const { return taken() + num_tasks_; }

 private:
  int num_tasks_ = 0;
  int num_lanes_ = 0;
  DeviceMemory memory_;
};

/// Of the device that is current when it is made and when it is launched.
class LaneRun {
 public:
  /// `times`: by op, or null. `one_each`: a multiprocessor keeps one block, as where products run.
  LaneRun(const LaneTables& tables, const LaneState& state, const std::uint64_t* epoch, DeviceOpTimes* times,
          const WaitControl& control, int num_blocks, bool one_each);

  void launch(cudaStream_t stream) const;

 private:
  LaneWork work_;
  int num_blocks_ = 0;
  bool one_each_ = false;
  DeviceMemory tables_;
};

}  // namespace meshmul::cuda
