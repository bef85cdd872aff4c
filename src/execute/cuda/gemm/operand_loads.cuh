#pragma once
// What the loading warp of a product kernel does: it waits for signals, and asks the copy engine for operands and terms,
// tile after tile.

#include <cstdint>

#include "execute/cuda/device_words.cuh"
#include "execute/cuda/gemm/gemm_shape.cuh"
#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/ptx.cuh"
#include "execute/cuda/gemm/tile_walk.hpp"
#include "execute/cuda/signal_protocol.hpp"

namespace meshmul::cuda {

/// Loads one step of the operand of rows.
template <class Shape>
__device__ inline void load_a(std::uint32_t destination, const TensorMap* map, std::uint32_t barrier, std::int32_t row,
                              std::int32_t k) {
  if constexpr (Shape::kA == Major::kContracted) {
    ptx::load_box(destination, map, barrier, k, row);
  } else {
    for (int group = 0; group < kTileM / 64; ++group)
      ptx::load_box(destination + group * 64 * kStepBytes, map, barrier, row + group * 64, k);
  }
}

/// Loads one step of the operand of columns, or with two blocks a cluster half of it into both.
template <class Shape>
__device__ inline void load_b(std::uint32_t destination, const TensorMap* map, std::uint32_t barrier,
                              std::int32_t column, std::int32_t k, std::uint32_t block, std::uint32_t num_blocks) {
  for (int half = 0; half < 2; ++half) {
    if (num_blocks == 2 && half != static_cast<int>(block)) continue;
    const auto load = [&](std::uint32_t to, std::int32_t inner, std::int32_t outer) {
      if (num_blocks == 2)
        ptx::load_box_to_blocks(to, map, barrier, inner, outer, 3);
      else
        ptx::load_box(to, map, barrier, inner, outer);
    };
    if constexpr (Shape::kB == Major::kContracted) {
      constexpr int kRows = Shape::kTileN / 2;
      load(destination + half * kRows * kStepBytes, k, column + half * kRows);
    } else {
      // Halves of the contraction: [half][64 columns][half a step][128 bytes].
      constexpr int kRows = Shape::kStep / 2;
#pragma unroll
      for (int group = 0; group < Shape::kColumnGroups; ++group)
        load(destination + (half * Shape::kColumnGroups + group) * kRows * kStepBytes, column + group * 64,
             k + half * kRows);
    }
  }
}

__device__ inline void note_begin(DeviceOpTimes& times) {
  atomicMin(reinterpret_cast<unsigned long long*>(&times.begin), ptx::nanoseconds());
}

/// Returns once the first `needed` waits of the run have passed, of which `passed` had before: how many have now, as many
/// as a look at the next 32 shows. Each lane of a warp looks at one: one after another, they would take a thread some 1000
/// cycles each, even if all signals are up. Behind it, all lanes may read what all of them tell of.
__device__ inline std::int32_t wait_by_warp(const GemmWork& work, std::int32_t passed, std::int32_t needed,
                                            std::uint64_t run) {
  const DeviceWords words;
  while (true) {
    const std::int32_t mine = passed + ptx::lane();
    const bool up =
        mine < work.num_waits && words.load_acquire(work.waits[mine].word) >= expected_value(work.waits[mine], run);
    const unsigned down = ~__ballot_sync(~0U, up);
    passed += down == 0 ? 32 : __ffs(static_cast<int>(down)) - 1;
    __syncwarp();
    if (passed >= needed) return passed;
    // The first one that is not up; of all lanes one waits.
    if (ptx::lane() == 0) wait_for(work.waits[passed], run, work.control, words);
    ++passed;
    __syncwarp();
    if (passed >= needed) return passed;
  }
}

/// The most waits that come before one of the terms of a piece.
__device__ inline std::int32_t waits_of_terms(const GemmWork& work, const GemmPiece& piece) {
  std::int32_t waits = 0;
  for (std::int32_t i = 0; i < piece.num_terms; ++i) waits = max(waits, work.terms[piece.first_term + i].num_waits);
  return waits;
}

/// Loads what one block multiplies, tile after tile, and the terms that are added. One warp, of which one lane asks for
/// operands.
template <class Shape, bool kEpilogue>
__device__ inline void load_tiles(const GemmWork& work, TileWalk walk, std::uint32_t stages, std::uint32_t full,
                                  std::uint32_t empty, std::uint32_t block, std::uint32_t num_blocks,
                                  std::uint64_t run) {
  StageWalk<Shape::kStages> at;
  std::int32_t passed = 0;
  while (walk.next()) {
    const GemmPiece& piece = walk.piece();
    const std::int32_t row = walk.row(block, num_blocks, kTileM);
    const std::int32_t column = walk.column(Shape::kTileN);
    // Each block loads operands of columns for both, so both wait for all rows of the cluster.
    const std::int32_t first_row = walk.row(0, num_blocks, kTileM);
    const std::int32_t row_waits = waits_of_rows(work.row_groups + piece.first_row_group, piece.num_row_groups,
                                                 first_row, first_row + static_cast<std::int32_t>(num_blocks) * kTileM);
    for (std::int32_t s = 0; s < piece.num_segments; ++s) {
      const GemmSegment segment = work.segments[piece.first_segment + s];
      const std::int32_t waits = row_waits > segment.num_waits ? row_waits : segment.num_waits;
      if (passed < waits) {
        passed = wait_by_warp(work, passed, waits, run);
        ptx::fence_copy_engine();
      }
      if (work.times != nullptr && s == 0 && ptx::lane() == 0) note_begin(work.times[piece.op]);
      const TensorMap* a_map = work.maps + segment.a_map;
      const TensorMap* b_map = work.maps + segment.b_map;
      for (std::int32_t step = 0; step < segment.num_steps; ++step) {
        const std::uint32_t stage = stages + at.stage * Shape::kStageBytes;
        const std::uint32_t barrier = full + at.stage * 8;
        ptx::mbarrier_wait(empty + at.stage * 8, at.parity ^ 1);
        if (ptx::lane() == 0) {
          ptx::mbarrier_arrive_expect(barrier, Shape::kStageBytes);
          load_a<Shape>(stage, a_map, barrier, row, step * Shape::kStep);
          load_b<Shape>(stage + Shape::kABytes, b_map, barrier, column, step * Shape::kStep, block, num_blocks);
        }
        __syncwarp();
        at.advance();
      }
    }
    if constexpr (kEpilogue) {
      if (piece.num_terms == 0) continue;
      const std::int32_t waits = waits_of_terms(work, piece);
      if (passed < waits) {
        passed = wait_by_warp(work, passed, waits, run);
        ptx::fence_copy_engine();
      }
      // 64 columns of each, then the next ones: sums are finished column by column.
      for (std::int32_t first = column; first < min(column + Shape::kTileN, piece.n); first += kTermColumns)
        for (std::int32_t i = 0; i < piece.num_terms; ++i) {
          const std::uint32_t barrier = full + at.stage * 8;
          ptx::mbarrier_wait(empty + at.stage * 8, at.parity ^ 1);
          if (ptx::lane() == 0) {
            ptx::mbarrier_arrive_expect(barrier, kTileM * kTermColumns * 2);
            ptx::load_box(stages + at.stage * Shape::kStageBytes, work.maps + work.terms[piece.first_term + i].map,
                          barrier, first, row);
          }
          __syncwarp();
          at.advance();
        }
    }
  }
}

}  // namespace meshmul::cuda
