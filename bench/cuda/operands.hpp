#pragma once
// Operands in rotation, so that none is in the cache of the device when its turn comes.

#include <cuda_runtime_api.h>

#include <vector>

#include "execute/cuda/device_memory.hpp"
#include "meshmul/dtype.hpp"
#include "shape.hpp"

struct Operands {
  std::vector<meshmul::cuda::DeviceMemory> a, b;
};

/// As many pairs as do not fit the cache together, of standard normal numbers.
Operands make_operands(const Shape& shape, meshmul::Dtype dtype, cudaStream_t stream);
