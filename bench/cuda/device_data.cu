#include <cuda_bf16.h>
#include <cuda_fp8.h>

#include "device_data.hpp"

namespace {

__device__ std::uint64_t mix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

/// Standard normal numbers, by Box and Muller's method.
template <class T>
__global__ void normal_kernel(T* data, std::int64_t count, std::uint64_t seed) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const std::uint64_t bits = mix(seed + static_cast<std::uint64_t>(i));
    const float u = (static_cast<float>(bits >> 40) + 1) / 16777217.0f;
    const float v = static_cast<float>(bits & 0xFFFFFF) / 16777216.0f;
    data[i] = T(sqrtf(-2 * logf(u)) * cospif(2 * v));
  }
}

__global__ void difference_kernel(const __nv_bfloat16* a, const __nv_bfloat16* b, std::int64_t count, float* worst) {
  float most = 0;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    const float d = fabsf(__bfloat162float(a[i]) - __bfloat162float(b[i]));
    most = d <= most ? most : d;
    if (!(d == d)) most = INFINITY;
  }
  atomicMax(reinterpret_cast<int*>(worst), __float_as_int(most));
}

__global__ void different_kernel(const std::uint16_t* a, const std::uint16_t* b, std::int64_t count,
                                 unsigned long long* different) {
  unsigned long long found = 0;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x)
    found += a[i] != b[i];
  if (found != 0) atomicAdd(different, found);
}

}  // namespace

void fill_normal(void* data, meshmul::Dtype dtype, std::int64_t count, std::uint64_t seed, cudaStream_t stream) {
  if (dtype == meshmul::Dtype::kF8e4m3)
    normal_kernel<<<1024, 256, 0, stream>>>(static_cast<__nv_fp8_e4m3*>(data), count, seed);
  else
    normal_kernel<<<1024, 256, 0, stream>>>(static_cast<__nv_bfloat16*>(data), count, seed);
}

void largest_difference(const void* a, const void* b, std::int64_t count, float* worst, cudaStream_t stream) {
  difference_kernel<<<1024, 256, 0, stream>>>(static_cast<const __nv_bfloat16*>(a),
                                              static_cast<const __nv_bfloat16*>(b), count, worst);
}

void count_different(const void* a, const void* b, std::int64_t count, unsigned long long* different,
                     cudaStream_t stream) {
  different_kernel<<<1024, 256, 0, stream>>>(static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b),
                                             count, different);
}
