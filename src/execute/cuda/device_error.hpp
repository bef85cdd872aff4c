#pragma once
// Errors of the CUDA runtime and driver, as errors of meshmul.

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <string_view>

namespace meshmul::cuda {

/// Throws Error(kMachine), or Error(kOutOfMemory) if that is what failed, with `what` was being done, the name and the
/// description of the error, unless `result` is success. The error is taken off the runtime.
void check(cudaError_t result, std::string_view what);
void check(CUresult result, std::string_view what);

}  // namespace meshmul::cuda
