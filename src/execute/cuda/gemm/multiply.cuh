#pragma once
// One step of a product: what lies in a stage of shared memory, added to the sums of a warpgroup.

#include <cstdint>

#include "execute/cuda/gemm/gemm_shape.cuh"
#include "execute/cuda/gemm/wgmma.cuh"

namespace meshmul::cuda {

/// Adds the product of one step that lies in shared memory to `sums`: kColumns columns of it, from column kFirst on.
/// With kFresh, writes it there.
template <class Shape, int kFirst, int kColumns, bool kFresh = false>
__device__ inline void multiply_columns(float* sums, std::uint32_t a, std::uint32_t b) {
#pragma unroll
  for (int i = 0; i < Shape::kInstructions; ++i) {
    std::uint32_t a_at = a + i * Shape::kInstructionBytes;
    if constexpr (Shape::kA == Major::kOuter) a_at = a + i * 16 * kStepBytes;
    std::uint32_t b_at = b + kFirst * kStepBytes + i * Shape::kInstructionBytes;
    std::uint32_t b_leading = 16;
    if constexpr (Shape::kB == Major::kOuter) {
      constexpr int kHalfBytes = Shape::kStep / 2 * kStepBytes;
      static_assert(kFirst % 64 == 0);
      b_at = b + (kFirst / 64 + i / 2 * Shape::kColumnGroups) * kHalfBytes + i % 2 * 16 * kStepBytes;
      b_leading = kHalfBytes;
    }
    const std::uint64_t a_descriptor = operand_descriptor(a_at, 16);
    const std::uint64_t b_descriptor = operand_descriptor(b_at, b_leading);
    if (kFresh && i == 0)
      wgmma<Shape::kElement, Shape::kA, Shape::kB, kColumns, kFresh>(sums, a_descriptor, b_descriptor);
    else
      wgmma<Shape::kElement, Shape::kA, Shape::kB, kColumns>(sums, a_descriptor, b_descriptor);
  }
}

/// Adds the product of one step. An instruction of 256 columns would need 154 registers at launch.
template <class Shape>
__device__ inline void multiply_step(float (&sums)[Shape::kTileN / 2], std::uint32_t a, std::uint32_t b) {
  if constexpr (Shape::kTileN > 224) {
    constexpr int kHalf = Shape::kTileN / 2;
    multiply_columns<Shape, 0, kHalf>(sums, a, b);
    multiply_columns<Shape, kHalf, kHalf>(sums + kHalf / 2, a, b);
  } else {
    multiply_columns<Shape, 0, Shape::kTileN>(sums, a, b);
  }
}

/// Columns of which f8 sums are promoted at a time: there are no registers for a second set of sums of wide tiles.
template <int kTileN>
inline constexpr int kPromotedColumns = kTileN <= 128   ? kTileN
                                        : kTileN == 192 ? 96
                                                        : 112;

/// Adds the product of one step in f32. While one warpgroup adds, the other one multiplies. `terms` are of one step and
/// one part of its columns, but have the same registers in all.
template <class Shape, int kFirst = 0>
__device__ inline void promote_step(float (&sums)[Shape::kTileN / 2],
                                    float (&terms)[kPromotedColumns<Shape::kTileN> / 2], std::uint32_t a,
                                    std::uint32_t b) {
  constexpr int kMost = kPromotedColumns<Shape::kTileN>;
  constexpr int kColumns = kFirst + kMost <= Shape::kTileN ? kMost : Shape::kTileN - kFirst;
  wgmma_fence();
  multiply_columns<Shape, kFirst, kColumns, true>(terms, a, b);
  wgmma_commit();
  wgmma_wait<0>();
#pragma unroll
  for (float& term : terms) asm volatile("" : "+f"(term)::"memory");  // not read ahead of the wait
#pragma unroll
  for (int i = 0; i < kColumns / 2; ++i) sums[kFirst / 2 + i] += terms[i];
  if constexpr (kFirst + kColumns < Shape::kTileN) promote_step<Shape, kFirst + kColumns>(sums, terms, a, b);
}

}  // namespace meshmul::cuda
