#pragma once
// Terms that are added to the sums of a tile, from the stages of shared memory in which they lie.

#include <cstdint>

#include "execute/cuda/elements.cuh"
#include "execute/cuda/gemm/gemm_shape.cuh"
#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/ptx.cuh"
#include "execute/cuda/gemm/store_boxes.cuh"

namespace meshmul::cuda {

/// 64 columns of sums of one warpgroup, from kFirst on, as far as a tile has them.
template <int kN, int kFirst>
struct SumsOfColumns {
  static constexpr int kColumns = kFirst + kTermColumns <= kN ? kTermColumns : kN - kFirst;

  /// Calls `f(i, j)` for each pair of neighbours: sums i and i + 1, which are j and j + 1 of these columns.
  template <class F>
  static __device__ void for_pairs(F f) {
#pragma unroll
    for (int j = 0; j < kColumns / 2; j += 2) f(kFirst / 2 + j, j);
  }
};

/// Adds the terms of a piece to the sums of a tile, from column kFirst of the tile on. `column`: its first one. Sums of
/// terms ahead lie in the boxes of the warpgroup, each thread's own at `thread_box` + 1 KB x pair: there are no registers
/// for them.
template <class Shape, int kFirst, class Release>
__device__ inline void add_terms_from(float (&sums)[Shape::kTileN / 2], const GemmWork& work, const GemmPiece& piece,
                                      StageWalk<Shape::kStages>& at, std::uint32_t stages, std::uint32_t full,
                                      std::uint32_t row, std::int32_t column, std::uint32_t thread_box,
                                      std::uint32_t barrier, Release release) {
  using Columns = SumsOfColumns<Shape::kTileN, kFirst>;
  if (column + kFirst >= piece.n) return;
  const std::uint32_t lane = ptx::lane(), row_in_tile = row + lane / 4;
#pragma unroll 1
  for (std::int32_t i = 0; i < piece.num_terms; ++i) {
    const GemmTerm term = work.terms[piece.first_term + i];
    ptx::mbarrier_wait(full + at.stage * 8, at.parity);
    const std::uint32_t box = stages + at.stage * Shape::kStageBytes;
    // Of the thread's row in the box: its columns, and what the copy engine swizzles them with. Hidden, so that no address
    // lives longer than here.
    std::uint32_t columns_at = box + row_in_tile * kStepBytes + lane % 4 * 4, swizzle = row_in_tile % 8 * 16;
    asm volatile("" : "+r"(columns_at), "+r"(swizzle));
    const auto pair_at = [&](int j) {
      // Sums 4 b to 4 b + 3 of a thread: two neighbours of block b of 8 columns, then two of the row 8 below.
      std::uint32_t pair;
      asm volatile("ld.shared.b32 %0, [%1];"
                   : "=r"(pair)
                   : "r"(columns_at + j / 2 % 2 * 8 * kStepBytes + (j / 4 * 16 ^ swizzle))
                   : "memory");
      return unpack(term.dtype, pair);
    };
    if (i < piece.num_loaded_ahead) {
      const bool last = i + 1 == piece.num_loaded_ahead;
      Columns::for_pairs([&](int sum, int j) {
        float2 pair = pair_at(j);
        const std::uint32_t ahead = thread_box + j / 2 * kWarpgroup * 8;
        if (i > 0) {
          float2 before;
          asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(before.x), "=f"(before.y) : "r"(ahead) : "memory");
          pair.x += before.x;
          pair.y += before.y;
        }
        if (last) {
          sums[sum] += pair.x;
          sums[sum + 1] += pair.y;
        } else {
          asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(ahead), "f"(pair.x), "f"(pair.y) : "memory");
        }
      });
    } else {
      if (term.rounded_to != Dtype::kF32)
        Columns::for_pairs([&](int sum, int) {
          const float2 rounded = unpack(term.rounded_to, pack(term.rounded_to, sums[sum], sums[sum + 1]));
          sums[sum] = rounded.x;
          sums[sum + 1] = rounded.y;
        });
      Columns::for_pairs([&](int sum, int j) {
        const float2 pair = pair_at(j);
        sums[sum] += pair.x;
        sums[sum + 1] += pair.y;
      });
    }
    // Not before all of the warpgroup have read it.
    ptx::named_barrier(barrier, kWarpgroup);
    release(at.stage);
    at.advance();
  }
  if constexpr (kFirst + kTermColumns < Shape::kTileN)
    add_terms_from<Shape, kFirst + kTermColumns>(sums, work, piece, at, stages, full, row, column, thread_box, barrier,
                                                 release);
}

}  // namespace meshmul::cuda
