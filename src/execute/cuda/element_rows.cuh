#pragma once
// Sums and elementwise functions over rows on the device: a range of tiles, by the threads of a warp. Loads of several
// quads are on their way at once; which dtypes and which function is asked once for all of them.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include "execute/cuda/element_functions.cuh"
#include "execute/cuda/element_rows.hpp"
#include "execute/cuda/elements.cuh"

namespace meshmul::cuda {

// Ordinary loads, as what they read may have been written during the run: an acquire is behind them. Nobody reads it
// twice, so that the cache need not keep it.
__device__ inline void load_quad(const std::byte* address, uint4& quad) {
  asm volatile("ld.global.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(quad.x), "=r"(quad.y), "=r"(quad.z), "=r"(quad.w)
               : "l"(address)
               : "memory");
}
__device__ inline void load_quad(const std::byte* address, uint2& quad) {
  asm volatile("ld.global.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
               : "=r"(quad.x), "=r"(quad.y)
               : "l"(address)
               : "memory");
}
__device__ inline void load_quad(const std::byte* address, std::uint32_t& quad) {
  asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(quad) : "l"(address) : "memory");
}

/// Four elements of a dtype as they lie in memory.
template <Dtype kDtype>
struct QuadOf;
template <>
struct QuadOf<Dtype::kF32> {
  using Bits = uint4;
  __device__ static float4 floats(const uint4& bits) {
    return {__uint_as_float(bits.x), __uint_as_float(bits.y), __uint_as_float(bits.z), __uint_as_float(bits.w)};
  }
  __device__ static uint4 bits(const float4& x) {
    return {__float_as_uint(x.x), __float_as_uint(x.y), __float_as_uint(x.z), __float_as_uint(x.w)};
  }
};
template <>
struct QuadOf<Dtype::kBf16> {
  using Bits = uint2;
  __device__ static float low(std::uint32_t pair) { return __uint_as_float(pair << 16); }
  __device__ static float high(std::uint32_t pair) { return __uint_as_float(pair & 0xFFFF0000U); }
  __device__ static float4 floats(const uint2& bits) { return {low(bits.x), high(bits.x), low(bits.y), high(bits.y)}; }
  __device__ static std::uint32_t pair(float low, float high) {
    const __nv_bfloat162 rounded = __floats2bfloat162_rn(low, high);
    return reinterpret_cast<const std::uint32_t&>(rounded);
  }
  __device__ static uint2 bits(const float4& x) { return {pair(x.x, x.y), pair(x.z, x.w)}; }
};
template <>
struct QuadOf<Dtype::kF16> {
  using Bits = uint2;
  __device__ static float2 pair(std::uint32_t bits) { return __half22float2(reinterpret_cast<const __half2&>(bits)); }
  __device__ static float4 floats(const uint2& bits) {
    const float2 low = pair(bits.x), high = pair(bits.y);
    return {low.x, low.y, high.x, high.y};
  }
  __device__ static std::uint32_t pair(float low, float high) {
    const __half2 rounded = __floats2half2_rn(low, high);
    return reinterpret_cast<const std::uint32_t&>(rounded);
  }
  __device__ static uint2 bits(const float4& x) { return {pair(x.x, x.y), pair(x.z, x.w)}; }
};
template <>
struct QuadOf<Dtype::kF8e4m3> {
  using Bits = std::uint32_t;
  __device__ static float2 pair(std::uint32_t bits) {
    return __half22float2(__half2(__nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(bits), __NV_E4M3)));
  }
  __device__ static float4 floats(std::uint32_t bits) {
    const float2 low = pair(bits), high = pair(bits >> 16);
    return {low.x, low.y, high.x, high.y};
  }
  __device__ static std::uint32_t bits(const float4& x) {
    return to_f8e4m3(x.x, x.y) | static_cast<std::uint32_t>(to_f8e4m3(x.z, x.w)) << 16;
  }
};

/// The part of an operand that a thread reads: its quads from step to step.
struct QuadSteps {
  const std::byte* first;
  std::int64_t step_bytes;
  __device__ QuadSteps(const ElementRows::Operand& operand, const ElementPlace& place, std::int32_t step)
      : first(operand.data + place.row * operand.row_bytes +
              static_cast<std::int64_t>(place.column) * operand.quad_bytes + step * operand.step_bytes),
        step_bytes(operand.step_bytes) {}
  __device__ const std::byte* at(int i) const { return first + i * step_bytes; }
};

template <Dtype kDtype, int kQuads>
__device__ inline void load_quads(float4 (&x)[kQuads], const QuadSteps& steps) {
  typename QuadOf<kDtype>::Bits bits[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) load_quad(steps.at(i), bits[i]);
#pragma unroll
  for (int i = 0; i < kQuads; ++i) x[i] = QuadOf<kDtype>::floats(bits[i]);
}
template <int kQuads>
__device__ inline void load_quads(float4 (&x)[kQuads], const ElementRows::Operand& operand, const ElementPlace& place,
                                  std::int32_t step) {
  const QuadSteps steps(operand, place, step);
  if (operand.quad_bytes == 0) {
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      const float one = load<float>(steps.at(i), 0, operand.dtype);
      x[i] = {one, one, one, one};
    }
    return;
  }
  switch (operand.dtype) {
    case Dtype::kBf16: return load_quads<Dtype::kBf16>(x, steps);
    case Dtype::kF16: return load_quads<Dtype::kF16>(x, steps);
    case Dtype::kF8e4m3: return load_quads<Dtype::kF8e4m3>(x, steps);
    default: return load_quads<Dtype::kF32>(x, steps);
  }
}

template <Dtype kDtype, int kQuads>
__device__ inline void store_quads(const float4 (&x)[kQuads], const QuadSteps& steps) {
#pragma unroll
  for (int i = 0; i < kQuads; ++i)
    *reinterpret_cast<typename QuadOf<kDtype>::Bits*>(const_cast<std::byte*>(steps.at(i))) = QuadOf<kDtype>::bits(x[i]);
}
template <int kQuads>
__device__ inline void store_quads(const float4 (&x)[kQuads], const ElementRows::Operand& dst,
                                   const ElementPlace& place, std::int32_t step) {
  const QuadSteps steps(dst, place, step);
  switch (dst.dtype) {
    case Dtype::kBf16: return store_quads<Dtype::kBf16>(x, steps);
    case Dtype::kF16: return store_quads<Dtype::kF16>(x, steps);
    case Dtype::kF8e4m3: return store_quads<Dtype::kF8e4m3>(x, steps);
    default: return store_quads<Dtype::kF32>(x, steps);
  }
}

template <int kQuads>
__device__ inline void add_quad(float4 (&sums)[kQuads], int i, const float4& x) {
  sums[i] = {add(sums[i].x, x.x), add(sums[i].y, x.y), add(sums[i].z, x.z), add(sums[i].w, x.w)};
}

/// Adds kTerms operands of one dtype.
template <Dtype kDtype, int kTerms, int kQuads>
__device__ inline void add_terms(float4 (&sums)[kQuads], const ElementRows::Operand* terms, const ElementPlace& place,
                                 std::int32_t step) {
  typename QuadOf<kDtype>::Bits bits[kTerms][kQuads];
#pragma unroll
  for (int t = 0; t < kTerms; ++t) {
    const QuadSteps steps(terms[t], place, step);
#pragma unroll
    for (int i = 0; i < kQuads; ++i) load_quad(steps.at(i), bits[t][i]);
  }
#pragma unroll
  for (int t = 0; t < kTerms; ++t)
#pragma unroll
    for (int i = 0; i < kQuads; ++i) add_quad(sums, i, QuadOf<kDtype>::floats(bits[t][i]));
}
/// Adds so many operands from the first one on as are of its dtype, up to kMost: how many it were.
template <Dtype kDtype, int kMost, int kQuads>
__device__ inline std::int32_t add_alike(float4 (&sums)[kQuads], const ElementRows::Operand* terms,
                                         const ElementPlace& place, std::int32_t step) {
  if constexpr (kMost > 1)
    if (terms->alike < kMost) return add_alike<kDtype, kMost - 1>(sums, terms, place, step);
  add_terms<kDtype, kMost>(sums, terms, place, step);
  return kMost;
}

// So many terms of two quads at once as registers allow beside the sums.
inline constexpr int kFloatsAtOnce = 3, kHalvesAtOnce = 5;

/// Two or more sources: a few quads of many at once, since each of them needs a sum.
template <int kQuads>
__device__ inline void sum_quads(const ElementRows& work, const ElementPlace& place, std::int32_t step) {
  // With -0 each number gives itself, which 0 and -0 do not with 0.
  float4 sums[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) sums[i] = {-0.0F, -0.0F, -0.0F, -0.0F};
  for (std::int32_t t = 0; t < work.num_sources;) {
    const ElementRows::Operand* const terms = &work.sources[t];
    if (terms->quad_bytes == 0) {
      float4 x[kQuads];
      load_quads(x, *terms, place, step);
#pragma unroll
      for (int i = 0; i < kQuads; ++i) add_quad(sums, i, x[i]);
      ++t;
      continue;
    }
    switch (terms->dtype) {
      case Dtype::kBf16: t += add_alike<Dtype::kBf16, kHalvesAtOnce>(sums, terms, place, step); break;
      case Dtype::kF16: t += add_alike<Dtype::kF16, kHalvesAtOnce>(sums, terms, place, step); break;
      case Dtype::kF8e4m3: t += add_alike<Dtype::kF8e4m3, kHalvesAtOnce>(sums, terms, place, step); break;
      default: t += add_alike<Dtype::kF32, kFloatsAtOnce>(sums, terms, place, step); break;
    }
  }
  store_quads(sums, work.dst, place, step);
}

/// Two sources in quads, both on their way at once.
template <Dtype kFirst, Dtype kSecond, int kQuads>
__device__ inline void sum_pair(float4 (&sums)[kQuads], const QuadSteps& first, const QuadSteps& second) {
  typename QuadOf<kFirst>::Bits x[kQuads];
  typename QuadOf<kSecond>::Bits y[kQuads];
#pragma unroll
  for (int i = 0; i < kQuads; ++i) load_quad(first.at(i), x[i]);
#pragma unroll
  for (int i = 0; i < kQuads; ++i) load_quad(second.at(i), y[i]);
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    sums[i] = QuadOf<kFirst>::floats(x[i]);
    add_quad(sums, i, QuadOf<kSecond>::floats(y[i]));
  }
}
template <Dtype kFirst, int kQuads>
__device__ inline void sum_pair(float4 (&sums)[kQuads], const QuadSteps& first, const QuadSteps& second, Dtype dtype) {
  switch (dtype) {
    case Dtype::kBf16: return sum_pair<kFirst, Dtype::kBf16>(sums, first, second);
    case Dtype::kF16: return sum_pair<kFirst, Dtype::kF16>(sums, first, second);
    case Dtype::kF8e4m3: return sum_pair<kFirst, Dtype::kF8e4m3>(sums, first, second);
    default: return sum_pair<kFirst, Dtype::kF32>(sums, first, second);
  }
}
template <int kQuads>
__device__ inline void sum_pair(const ElementRows& work, const ElementPlace& place, std::int32_t step) {
  float4 sums[kQuads];
  const QuadSteps first(work.sources[0], place, step), second(work.sources[1], place, step);
  const Dtype dtype = work.sources[1].dtype;
  switch (work.sources[0].dtype) {
    case Dtype::kBf16: sum_pair<Dtype::kBf16>(sums, first, second, dtype); break;
    case Dtype::kF16: sum_pair<Dtype::kF16>(sums, first, second, dtype); break;
    case Dtype::kF8e4m3: sum_pair<Dtype::kF8e4m3>(sums, first, second, dtype); break;
    default: sum_pair<Dtype::kF32>(sums, first, second, dtype); break;
  }
  store_quads(sums, work.dst, place, step);
}

template <MapFunction kFunction, int kQuads>
__device__ inline void map_quads(float4 (&x)[kQuads], const float4 (&y)[kQuads]) {
#pragma unroll
  for (int i = 0; i < kQuads; ++i)
    x[i] = {mapped(kFunction, x[i].x, y[i].x), mapped(kFunction, x[i].y, y[i].y), mapped(kFunction, x[i].z, y[i].z),
            mapped(kFunction, x[i].w, y[i].w)};
}
template <int kQuads>
__device__ inline void map_quads(const ElementRows& work, const ElementPlace& place, std::int32_t step) {
  float4 x[kQuads] = {}, y[kQuads] = {};
  if (work.num_sources > 0) load_quads(x, work.sources[0], place, step);
  if (work.num_sources > 1) load_quads(y, work.sources[1], place, step);
  using enum MapFunction;
  switch (work.function) {
    case kZero: map_quads<kZero>(x, y); break;
    case kOne: map_quads<kOne>(x, y); break;
    case kGelu: map_quads<kGelu>(x, y); break;
    case kGeluTanh: map_quads<kGeluTanh>(x, y); break;
    case kSilu: map_quads<kSilu>(x, y); break;
    case kRelu: map_quads<kRelu>(x, y); break;
    case kGeluGrad: map_quads<kGeluGrad>(x, y); break;
    case kGeluTanhGrad: map_quads<kGeluTanhGrad>(x, y); break;
    case kSiluGrad: map_quads<kSiluGrad>(x, y); break;
    case kReluGrad: map_quads<kReluGrad>(x, y); break;
    case kMul:
    case kScale: map_quads<kMul>(x, y); break;
    case kAdd:
    case kBias:
    case kConvert: break;  // sums
  }
  store_quads(x, work.dst, place, step);
}

/// All steps of all tiles from `begin` to `end` (not included), kQuads at once where there are so many.
template <int kQuads, class Do>
__device__ inline void for_quads(const ElementRows& work, std::int32_t begin, std::int32_t end, std::int32_t thread,
                                 Do do_quads) {
  for (std::int32_t tile = begin; tile < end; ++tile) {
    const ElementPlace place = element_place(work, tile, thread);
    std::int32_t step = 0;
    for (; step + kQuads <= place.steps; step += kQuads) do_quads.template operator()<kQuads>(place, step);
    for (; step < place.steps; ++step) do_quads.template operator()<1>(place, step);
  }
}

// Functions of their own, since each has all registers.

__device__ __noinline__ inline void sum_tiles(const ElementRows& work, std::int32_t begin, std::int32_t end,
                                              std::int32_t thread) {
  for_quads<2>(work, begin, end, thread,
               [&]<int kQuads>(const ElementPlace& place, std::int32_t step) { sum_quads<kQuads>(work, place, step); });
}
__device__ __noinline__ inline void pair_tiles(const ElementRows& work, std::int32_t begin, std::int32_t end,
                                               std::int32_t thread) {
  for_quads<4>(work, begin, end, thread,
               [&]<int kQuads>(const ElementPlace& place, std::int32_t step) { sum_pair<kQuads>(work, place, step); });
}
__device__ __noinline__ inline void convert_tiles(const ElementRows& work, std::int32_t begin, std::int32_t end,
                                                  std::int32_t thread) {
  for_quads<8>(work, begin, end, thread, [&]<int kQuads>(const ElementPlace& place, std::int32_t step) {
    float4 x[kQuads];
    load_quads(x, work.sources[0], place, step);
    store_quads(x, work.dst, place, step);
  });
}
__device__ __noinline__ inline void map_tiles(const ElementRows& work, std::int32_t begin, std::int32_t end,
                                              std::int32_t thread) {
  for_quads<4>(work, begin, end, thread,
               [&]<int kQuads>(const ElementPlace& place, std::int32_t step) { map_quads<kQuads>(work, place, step); });
}

__device__ inline void do_element_tiles(const ElementRows& work, std::int32_t begin, std::int32_t end,
                                        std::int32_t thread) {
  if (work.function != MapFunction::kAdd)
    map_tiles(work, begin, end, thread);
  else if (work.num_sources == 1)
    convert_tiles(work, begin, end, thread);
  else if (work.num_sources == 2 && work.sources[0].quad_bytes != 0 && work.sources[1].quad_bytes != 0)
    pair_tiles(work, begin, end, thread);
  else
    sum_tiles(work, begin, end, thread);
}

}  // namespace meshmul::cuda
