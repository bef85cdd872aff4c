#pragma once
// In which order the ops of all lanes are given to a device, and which of them become one kernel.

#include <functional>
#include <optional>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul::cuda {

/// Ops `first_op` to `first_op + num_ops - 1` of a lane: one op, or a run of products with the waits ahead of them and
/// the signals behind them, which one kernel does.
struct Launch {
  int rank = 0;
  int lane = 0;
  int first_op = 0;
  int num_ops = 1;
  bool products = false;
  bool operator==(const Launch&) const = default;
};

/// Says of a gemm which kind of product kernel does it, by a number; nothing if none can.
using KernelOf = std::function<std::optional<int>(int rank, const Gemm&)>;

/// All ops of `schedule`, those of a lane in their order. What raises a signal is launched before whatever waits for
/// it, so that a device which starts kernels in the order of launches, and holds as many of them as it likes back,
/// never stalls: streams may share queues. Runs of products are as long as that allows: other lanes go first. In a run
/// all gemms are of one kind, none reads or overwrites what another one writes, and one that accumulates into what the
/// one right before it wrote, with no signal in between, continues that sum. Throws Error(kInvalidArgument) if some
/// wait is never passed.
std::vector<Launch> plan_launches(const Schedule& schedule, const KernelOf& kernel_of);

}  // namespace meshmul::cuda
