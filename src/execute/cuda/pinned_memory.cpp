#include "execute/cuda/pinned_memory.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <cstring>

#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {

PinnedMemory::PinnedMemory(std::size_t num_bytes) : num_bytes_(num_bytes) {
  if (num_bytes == 0) return;
  check(cudaHostAlloc(&data_, num_bytes, cudaHostAllocPortable | cudaHostAllocMapped),
        fmt::format("taking {} bytes of pinned memory", num_bytes));
  std::memset(data_, 0, num_bytes);
}

PinnedMemory::~PinnedMemory() { cudaFreeHost(data_); }

}  // namespace meshmul::cuda
