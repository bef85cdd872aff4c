#pragma once
// Elements of every dtype on the device: loading them into an accumulator, and rounding back once.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include "meshmul/dtype.hpp"

namespace meshmul::cuda {

template <class Sum>
__device__ inline Sum load(const void* base, std::int64_t index, Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return static_cast<Sum>(static_cast<const double*>(base)[index]);
    case Dtype::kF32: return static_cast<Sum>(static_cast<const float*>(base)[index]);
    case Dtype::kBf16: return static_cast<Sum>(__bfloat162float(static_cast<const __nv_bfloat16*>(base)[index]));
    case Dtype::kF16: return static_cast<Sum>(__half2float(static_cast<const __half*>(base)[index]));
    case Dtype::kF8e4m3: return static_cast<Sum>(static_cast<float>(static_cast<const __nv_fp8_e4m3*>(base)[index]));
    case Dtype::kI8: return static_cast<Sum>(static_cast<const std::int8_t*>(base)[index]);
    case Dtype::kI32: return static_cast<Sum>(static_cast<const std::int32_t*>(base)[index]);
  }
  return Sum{};
}

/// Two neighbours of 16-bit floats, bf16 or f16: the first one in the low half.
__device__ inline std::uint32_t pack(Dtype element, float low, float high) {
  if (element == Dtype::kBf16) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return reinterpret_cast<const std::uint32_t&>(pair);
  }
  const __half2 pair = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
}
__device__ inline float2 unpack(Dtype dtype, std::uint32_t pair) {
  if (dtype == Dtype::kBf16) return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xFFFF0000U)};
  return __half22float2(reinterpret_cast<const __half2&>(pair));
}

/// Two floats as f8e4m3, the first one in the low byte; what is too large for it becomes NaN. The hardware alone would
/// make the largest number of it.
__device__ inline std::uint16_t to_f8e4m3(float low, float high) {
  std::uint16_t result;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(result) : "f"(high), "f"(low));
  constexpr float kLargestRoundedDown = 464;
  if (fabsf(low) > kLargestRoundedDown) result |= 0x007F;
  if (fabsf(high) > kLargestRoundedDown) result |= 0x7F00;
  return result;
}

/// 16- and 8-bit floats are rounded from f32, which is how their sums are held. What is too large for f8e4m3 becomes
/// NaN.
template <class Sum>
__device__ inline void store(void* base, std::int64_t index, Dtype dtype, Sum value) {
  switch (dtype) {
    case Dtype::kF64: static_cast<double*>(base)[index] = static_cast<double>(value); return;
    case Dtype::kF32: static_cast<float*>(base)[index] = static_cast<float>(value); return;
    case Dtype::kBf16:
      static_cast<__nv_bfloat16*>(base)[index] = __float2bfloat16_rn(static_cast<float>(value));
      return;
    case Dtype::kF16: static_cast<__half*>(base)[index] = __float2half_rn(static_cast<float>(value)); return;
    case Dtype::kF8e4m3:
      static_cast<__nv_fp8_storage_t*>(base)[index] =
          static_cast<__nv_fp8_storage_t>(to_f8e4m3(static_cast<float>(value), 0));
      return;
    case Dtype::kI8: static_cast<std::int8_t*>(base)[index] = static_cast<std::int8_t>(value); return;
    case Dtype::kI32: static_cast<std::int32_t*>(base)[index] = static_cast<std::int32_t>(value); return;
  }
}

}  // namespace meshmul::cuda
