#pragma once
// From sums to results: the steps of an epilogue on the elements that one thread finishes at a time, and storing them.
// Threads take four neighbouring columns each, so that a warp reads operands and writes results by whole sectors.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <cstring>

#include "execute/cuda/element_functions.cuh"
#include "execute/cuda/gemm/gemm_work.hpp"

namespace meshmul::cuda {

/// Columns that a warpgroup finishes at a time, of 64 rows; a thread has four neighbouring ones in every 16th row.
inline constexpr int kQuadColumns = 32;
inline constexpr int kQuads = 4;
inline constexpr int kQuadStep = 16;
using Quads = float[kQuads][4];

/// Where a thread's quads lie.
struct QuadPlace {
  std::int32_t row = 0;      ///< of the first one
  std::int32_t column = 0;   ///< of their first elements
  std::int32_t rows = 0;     ///< from `row` to the end of c
  std::int32_t columns = 0;  ///< of a quad, those in c; may be negative
};

/// Within the 64 rows and 32 columns.
__device__ inline QuadPlace quad_place(int thread) {
  constexpr int kQuadsARow = kQuadColumns / 4;
  return {.row = thread / kQuadsARow, .column = thread % kQuadsARow * 4};
}

template <Dtype kDtype>
struct FloatOf;
template <>
struct FloatOf<Dtype::kF32> {
  using Type = float;
  using Quad = uint4;
  __device__ static float rounded(float x) { return x; }
};
template <>
struct FloatOf<Dtype::kBf16> {
  using Type = __nv_bfloat16;
  using Quad = uint2;
  __device__ static Type rounded(float x) { return __float2bfloat16_rn(x); }
};
template <>
struct FloatOf<Dtype::kF16> {
  using Type = __half;
  using Quad = uint2;
  __device__ static Type rounded(float x) { return __float2half_rn(x); }
};
/// What is too large becomes NaN, as where elements are stored.
template <>
struct FloatOf<Dtype::kF8e4m3> {
  using Type = __nv_fp8_e4m3;
  using Quad = std::uint32_t;
  __device__ static Type rounded(float x) {
    Type result;
    result.__x = __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3);
    return result;
  }
};

/// Whether quads of rows `row_stride` elements apart can be read and written at once, given the first one.
template <class T>
__device__ inline bool whole_quads(const T* first, std::int64_t row_stride, const QuadPlace& place) {
  return place.columns == 4 && row_stride % 4 == 0 && reinterpret_cast<std::uintptr_t>(first) % (4 * sizeof(T)) == 0;
}

/// x = function(x, operand). Nothing is read for elements that are not in c.
template <MapFunction kFunction, Dtype kDtype>
__device__ inline void apply_operand(Quads& x, const EpilogueStep& step, const QuadPlace& place) {
  using T = typename FloatOf<kDtype>::Type;
  using Quad = typename FloatOf<kDtype>::Quad;
  const T* const first =
      static_cast<const T*>(step.operand) + place.row * step.row_stride + place.column * step.column_stride;
  const std::int64_t to_next = kQuadStep * step.row_stride;
  if (step.column_stride == 1 && whole_quads(first, step.row_stride, place)) {
    // All are asked for before one is looked at.
    Quad raw[kQuads] = {};
#pragma unroll
    for (int i = 0; i < kQuads; ++i)
      if (i * kQuadStep < place.rows) raw[i] = *reinterpret_cast<const Quad*>(first + i * to_next);
#pragma unroll
    for (int i = 0; i < kQuads; ++i) {
      T elements[4];
      std::memcpy(elements, &raw[i], sizeof elements);
#pragma unroll
      for (int c = 0; c < 4; ++c) x[i][c] = mapped(kFunction, x[i][c], static_cast<float>(elements[c]));
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    if (i * kQuadStep >= place.rows) break;
#pragma unroll
    for (int c = 0; c < 4; ++c)
      if (c < place.columns)
        x[i][c] = mapped(kFunction, x[i][c], static_cast<float>(first[i * to_next + c * step.column_stride]));
  }
}

template <MapFunction kFunction>
__device__ inline void apply_operand(Quads& x, const EpilogueStep& step, const QuadPlace& place) {
  switch (step.dtype) {
    case Dtype::kBf16: return apply_operand<kFunction, Dtype::kBf16>(x, step, place);
    case Dtype::kF16: return apply_operand<kFunction, Dtype::kF16>(x, step, place);
    case Dtype::kF8e4m3: return apply_operand<kFunction, Dtype::kF8e4m3>(x, step, place);
    default: return apply_operand<kFunction, Dtype::kF32>(x, step, place);
  }
}

/// x = function(x).
template <MapFunction kFunction>
__device__ inline void apply(Quads& x) {
#pragma unroll
  for (auto& quad : x)
#pragma unroll
    for (float& element : quad) element = mapped(kFunction, element, 0.0F);
}

/// c = x, rounded.
template <Dtype kDtype>
__device__ inline void store_result(const Quads& x, const GemmPiece& piece, const QuadPlace& place) {
  using T = typename FloatOf<kDtype>::Type;
  using Quad = typename FloatOf<kDtype>::Quad;
  T* const first = static_cast<T*>(piece.c) + place.row * piece.c_row_stride + place.column;
  const bool whole = whole_quads(first, piece.c_row_stride, place);
#pragma unroll
  for (int i = 0; i < kQuads; ++i) {
    if (i * kQuadStep >= place.rows) break;
    T* const at = first + i * kQuadStep * piece.c_row_stride;
    T elements[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) elements[c] = FloatOf<kDtype>::rounded(x[i][c]);
    if (whole) {
      Quad raw;
      std::memcpy(&raw, elements, sizeof raw);
      *reinterpret_cast<Quad*>(at) = raw;
    } else {
#pragma unroll
      for (int c = 0; c < 4; ++c)
        if (c < place.columns) at[c] = elements[c];
    }
  }
}

__device__ inline void store_result(const Quads& x, const GemmPiece& piece, const QuadPlace& place) {
  switch (piece.output) {
    case Dtype::kBf16: return store_result<Dtype::kBf16>(x, piece, place);
    case Dtype::kF16: return store_result<Dtype::kF16>(x, piece, place);
    case Dtype::kF8e4m3: return store_result<Dtype::kF8e4m3>(x, piece, place);
    default: return store_result<Dtype::kF32>(x, piece, place);
  }
}

template <Dtype kDtype>
__device__ inline void round_to(Quads& x) {
#pragma unroll
  for (auto& quad : x)
#pragma unroll
    for (float& element : quad) element = static_cast<float>(FloatOf<kDtype>::rounded(element));
}

__device__ inline void round_to(Quads& x, Dtype dtype) {
  switch (dtype) {
    case Dtype::kBf16: return round_to<Dtype::kBf16>(x);
    case Dtype::kF16: return round_to<Dtype::kF16>(x);
    case Dtype::kF8e4m3: return round_to<Dtype::kF8e4m3>(x);
    default: return;
  }
}

/// x is rounded, then x = function(x, operand).
__device__ inline void do_step(Quads& x, const EpilogueStep& step, const QuadPlace& place) {
  round_to(x, step.rounded_to);
  switch (step.function) {
    case MapFunction::kGelu: return apply<MapFunction::kGelu>(x);
    case MapFunction::kGeluTanh: return apply<MapFunction::kGeluTanh>(x);
    case MapFunction::kSilu: return apply<MapFunction::kSilu>(x);
    case MapFunction::kRelu: return apply<MapFunction::kRelu>(x);
    case MapFunction::kAdd:
    case MapFunction::kBias: return apply_operand<MapFunction::kAdd>(x, step, place);
    case MapFunction::kMul:
    case MapFunction::kScale: return apply_operand<MapFunction::kMul>(x, step, place);
    default: return;
  }
}

/// The terms of a piece that are added up before its product is added to them.
__device__ inline void add_terms_ahead(Quads& x, const GemmPiece& piece, const EpilogueStep* steps,
                                       const QuadPlace& place) {
#pragma unroll
  for (auto& quad : x)
#pragma unroll
    for (float& element : quad) element = -0.0F;  // to which everything can be added without a change
#pragma unroll 1
  for (std::int32_t i = 0; i < piece.num_terms_ahead; ++i) apply_operand<MapFunction::kAdd>(x, steps[i], place);
}

/// The steps of a piece behind its terms, then c.
__device__ inline void finish_quads(Quads& x, const GemmPiece& piece, const EpilogueStep* steps,
                                    const QuadPlace& place) {
#pragma unroll 1
  for (std::int32_t i = piece.num_terms_ahead; i < piece.num_epilogue_steps; ++i) do_step(x, steps[i], place);
  store_result(x, piece, place);
}

}  // namespace meshmul::cuda
