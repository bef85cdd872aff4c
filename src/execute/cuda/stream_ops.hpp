#pragma once
// Small things that a stream does between copies and products: waits, raises, the number of the run.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "execute/cuda/signals.hpp"

namespace meshmul::cuda {

/// Loads the kernels of this file on the current device. A kernel that is launched for the first time is loaded then,
/// behind all that the device has yet to do: what spins until it has run would never end.
void load_stream_kernels();

/// Adds one to the number of the run.
void begin_run(std::uint64_t* epoch, cudaStream_t stream);

/// Holds the stream until the wait passes, or has run out. Takes one warp, of so few registers that there is room for
/// it beside any product kernel.
void wait_in_stream(const SignalWait& wait, const std::uint64_t* epoch, const WaitControl& control,
                    cudaStream_t stream);

/// Raises once all before it in the stream is done and visible to all.
void raise_in_stream(const SignalRaise& raise, const std::uint64_t* epoch, cudaStream_t stream);

}  // namespace meshmul::cuda
