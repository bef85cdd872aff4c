#include "execute/cuda/device_error.hpp"

#include <fmt/format.h>

#include "execute/cuda/driver.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cuda {

void check(cudaError_t result, std::string_view what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();
  throw Error(result == cudaErrorMemoryAllocation ? ErrorCode::kOutOfMemory : ErrorCode::kMachine,
              fmt::format("{}: {}: {}", what, cudaGetErrorName(result), cudaGetErrorString(result)));
}

void check(CUresult result, std::string_view what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = "an unknown error";
  const char* sentence = "the driver does not say what it is";
  driver().get_error_name(result, &name);
  driver().get_error_string(result, &sentence);
  throw Error(result == CUDA_ERROR_OUT_OF_MEMORY ? ErrorCode::kOutOfMemory : ErrorCode::kMachine,
              fmt::format("{}: {}: {}", what, name, sentence));
}

}  // namespace meshmul::cuda
