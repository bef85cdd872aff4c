#pragma once
// The kernel that does the tasks of all lanes of a device: copies between ranks and within them, sums, elementwise
// functions, plain products, signals.

#include <cuda_runtime_api.h>

#include "execute/cuda/lane_work.hpp"

namespace meshmul::cuda {

inline constexpr int kWarpThreads = 32;
/// Four warps, one for each part of a multiprocessor. With 56 registers a thread and no shared memory a block fits
/// beside one of the product kernel (gemm_kernel.cuh).
inline constexpr int kLaneThreads = 4 * kWarpThreads;
inline constexpr int kLaneRegisters = 56;

/// Loads the kernels of this file on the current device. Before a kernel is launched for the first time CUDA loads it,
/// behind everything that the device has yet to do: behind a kernel that spins until the new one has run, that would be
/// never.
void load_lane_kernels();

/// Lanes of one device: each thread of a block can watch one.
inline constexpr int kMostLanes = kLaneThreads;

/// Words of LaneWork::present.
inline constexpr int kMostMultiprocessors = 1024;

/// All blocks must be resident together, and with the product kernels that they wait for; `one_each`: with those that
/// take a multiprocessor each. At most kMostLanes lanes.
void launch_lanes(const LaneWork& work, int num_blocks, bool one_each, cudaStream_t stream);

/// Counts the run up, and its shares that are taken down to 0. Notes in `times`, if it is not null, when that was: begin
/// and end are one.
void begin_run(std::uint64_t* epoch, std::uint32_t* taken, int num_tasks, DeviceOpTimes* times, cudaStream_t stream);

}  // namespace meshmul::cuda
