#pragma once
// How long one op may take before it counts as stuck.

#include "meshmul/schedule.hpp"

namespace meshmul {

/// Seconds that the longest op of any rank takes, put high:
///   T = ranks per core * (FLOPs / rate + bytes / 1 GB/s)
/// The rate is 10 GFLOP/s, a tenth of what a tuned library reaches on one core of today, and 0.1 GFLOP/s for the plain
/// loops of the `reference` kernels, which `kernels` may name.
double longest_op_seconds(const Schedule& schedule, std::string_view kernels, int num_cores);

}  // namespace meshmul
