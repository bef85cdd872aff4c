#pragma once
// From the times that kernels noted to a timeline.

#include <span>
#include <vector>

#include "execute/cuda/device_op_times.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul::cuda {

/// `times_of_rank[rank]`: what the device of the rank noted of all ops of the schedule, rank by rank and lane by lane,
/// and behind them the beginning of the run, which is one moment for all devices. An op that nobody noted takes no time:
/// a wait lasts until what comes next in its lane begins; of products that one kernel does as one, the first has all the
/// time, and of ops that are one sum the last. In a lane nothing begins before what stands ahead of it has ended, though the device may have done both at
/// once.
Timeline device_timeline(const Schedule& schedule, const std::vector<std::span<const DeviceOpTimes>>& times_of_rank);

}  // namespace meshmul::cuda
