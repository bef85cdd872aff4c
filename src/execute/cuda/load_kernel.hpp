#pragma once
// Loading a kernel before it is launched for the first time.

#include <cuda_runtime_api.h>

#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {

/// Loads `kernel` on the current device, if it is not there yet.
inline void load_kernel(const void* kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "loading a kernel");
}

}  // namespace meshmul::cuda
