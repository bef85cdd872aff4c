#pragma once
// When the steps of a run began and ended on their streams, and from that when each op did.

#include <cuda_runtime_api.h>

#include <map>
#include <vector>

#include "execute/cuda/device_program.hpp"
#include "execute/cuda/streams.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul::cuda {

class StepTimes {
 public:
  StepTimes(const std::vector<Step>& steps, const WorldMemory& memory);

  /// Notes that a run begins, in the stream of control of a rank of each device. Clocks of devices are apart by what
  /// the beginnings are.
  void note_begin(int rank, cudaStream_t stream) const;
  /// Around what a step gives to its stream.
  void note_step_begin(std::size_t step, cudaStream_t stream) const;
  void note_step_end(std::size_t step, cudaStream_t stream) const;

  /// Of the last run, which is over. Of products that one kernel does, the first has all the time; the waits ahead of
  /// them begin and end with it.
  Timeline timeline(const Schedule& schedule) const;

 private:
  const std::vector<Step>& steps_;
  const WorldMemory& memory_;
  std::map<int, DeviceEvent> begin_;  // by device
  std::vector<DeviceEvent> step_begin_, step_end_;
};

}  // namespace meshmul::cuda
