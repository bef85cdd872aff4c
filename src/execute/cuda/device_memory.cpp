#include "execute/cuda/device_memory.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "execute/cuda/device_error.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cuda {

DeviceMemory::DeviceMemory(std::size_t num_bytes) : num_bytes_(num_bytes) {
  if (num_bytes == 0) return;
  const cudaError_t result = cudaMalloc(&data_, num_bytes);
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t left = 0, all = 0;
    check(cudaMemGetInfo(&left, &all), "asking the device for its memory");
    throw Error(ErrorCode::kOutOfMemory,
                fmt::format("{} bytes of device memory are needed, {} of {} are left", num_bytes, left, all));
  }
  check(result, fmt::format("taking {} bytes of device memory", num_bytes));
}

DeviceMemory::~DeviceMemory() { cudaFree(data_); }

}  // namespace meshmul::cuda
