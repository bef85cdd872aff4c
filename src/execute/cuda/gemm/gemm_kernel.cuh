#pragma once
// The product kernel: persistent, its warps specialised. One warp of each block waits for signals and asks the copy
// engine for operands, a step of 128 bytes of the contraction at a time; two warpgroups multiply 64 rows of the tile
// each and store them. Two blocks of a cluster, one tile below the other, share the operand of columns: each loads half
// of every step for both.

#include <cstdint>

#include "execute/cuda/device_words.cuh"
#include "execute/cuda/gemm/gemm_kernels.hpp"
#include "execute/cuda/gemm/gemm_shape.cuh"
#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/multiply.cuh"
#include "execute/cuda/gemm/operand_loads.cuh"
#include "execute/cuda/gemm/ptx.cuh"
#include "execute/cuda/gemm/store_boxes.cuh"
#include "execute/cuda/gemm/terms.cuh"
#include "execute/cuda/gemm/tile_walk.hpp"
#include "execute/cuda/signal_protocol.hpp"

namespace meshmul::cuda {

/// How many of the first waits of the run come before the epilogue of a piece.
__device__ inline std::int32_t waits_of_epilogue(const GemmWork& work, const GemmPiece& piece) {
  std::int32_t waits = 0;
  for (std::int32_t i = 0; i < piece.num_epilogue_steps; ++i)
    waits = max(waits, work.epilogue_steps[piece.first_epilogue_step + i].num_waits);
  return waits;
}

/// Multiplies and stores the rows of one warpgroup, tile after tile.
template <class Shape, bool kEpilogue>
__device__ inline void multiply_tiles(const GemmWork& work, TileWalk walk, std::uint32_t stages, std::uint32_t full,
                                      std::uint32_t empty, StoreBoxes boxes, int warpgroup, std::uint32_t block,
                                      std::uint32_t num_blocks, std::uint64_t run) {
  constexpr int kN = Shape::kTileN;
  StageWalk<Shape::kStages> at;
  const int thread = boxes.thread;
  [[maybe_unused]] std::int32_t passed = 0;
  while (walk.next()) {
    // Fresh ones for each tile, so that none lives through the stores of the tile before.
    float sums[kN / 2];
#pragma unroll
    for (float& sum : sums) sum = 0;
    const GemmPiece& piece = walk.piece();
    const std::int32_t row = walk.row(block, num_blocks, kTileM) + warpgroup * 64;
    const std::int32_t column = walk.column(kN);
    const auto release = [&](int stage) {
      if (thread < static_cast<int>(num_blocks)) ptx::mbarrier_arrive_at(empty + stage * 8, thread);
    };
    [[maybe_unused]] float terms[kPromotedColumns<kN> / 2];
    int last_stage = -1;
    const std::int32_t num_steps = piece.num_steps;
    for (std::int32_t step = 0; step < num_steps; ++step) {
      ptx::mbarrier_wait(full + at.stage * 8, at.parity);
      const std::uint32_t stage = stages + at.stage * Shape::kStageBytes;
      const std::uint32_t a = stage + warpgroup * 64 * kStepBytes, b = stage + Shape::kABytes;
      if constexpr (Shape::kPromotes) {
        promote_step<Shape>(sums, terms, a, b);
        release(at.stage);
      } else {
        wgmma_fence();
        multiply_step<Shape>(sums, a, b);
        wgmma_commit();
        if (step > 0) {
          wgmma_wait<1>();
          release(last_stage);
        }
        last_stage = at.stage;
      }
      at.advance();
    }
    if constexpr (!Shape::kPromotes) {
      wgmma_wait<0>();
      if (num_steps > 0) release(last_stage);
    }

    if constexpr (kEpilogue)
      if (piece.num_terms > 0) {
        // The boxes may still be on their way to the tile before.
        if (thread == 0) ptx::wait_stores_read<0>();
        ptx::named_barrier(boxes.barrier, kWarpgroup);
        add_terms_from<Shape, 0>(sums, work, piece, at, stages, full, warpgroup * 64 + thread / 32 * 16, column,
                                 boxes.address + static_cast<std::uint32_t>(thread) * 8, boxes.barrier, release);
      }

    const Dtype output = piece.output;
    if (kEpilogue && piece.num_epilogue_steps > 0) {
      // One warp waits, and the barrier behind it makes what it has seen visible to the others.
      if (thread < 32) {
        const std::int32_t waits = waits_of_epilogue(work, piece);
        if (passed < waits) passed = wait_by_warp(work, passed, waits, run);
      }
      boxes.template store_behind_epilogue<kN>(sums, work, piece, row, column);
      if (work.counts()) ptx::named_barrier(boxes.barrier, kWarpgroup);
    } else if (piece.c_map >= 0 && !piece.accumulate) {
      const TensorMap* map = work.maps + piece.c_map;
      const TensorMap* tail_map = work.maps + piece.c_tail_map;
      if (output == Dtype::kF32)
        boxes.template store_from<kN, 0, true>(sums, map, tail_map, output, row, column);
      else
        boxes.template store_from<kN, 0, false>(sums, map, tail_map, output, row, column);
    } else {
      boxes.template store_elements_from<kN, 0>(sums, piece, row, column);
      if (work.counts()) ptx::named_barrier(boxes.barrier, kWarpgroup);
    }
    if (work.counts() && thread == 0) {
      ptx::wait_stores_written();
      ptx::fence_copy_engine();
      finish_part(work, walk.piece_number(), run, num_blocks * kNumMultipliers, DeviceWords{});
    }
  }
  if (thread == 0) ptx::wait_stores_written();
}

/// One block: a warpgroup that loads and two that multiply. Any grid of whole clusters of one or two blocks does all
/// tiles; all blocks must be resident together with whoever raises what they wait for. kEpilogue: pieces may have one.
template <class Shape, bool kEpilogue>
__global__ void __maxnreg__(kLaunchRegisters) gemm_kernel(const __grid_constant__ GemmWork work) {
  extern __shared__ unsigned char shared[];
  const std::uint32_t base = (ptx::shared_address(shared) + 1023) & ~1023u;
  const std::uint32_t stages = base;
  const std::uint32_t stores = stages + Shape::kStages * Shape::kStageBytes;
  const std::uint32_t full = stores + Shape::kAllStoreBytes;
  const std::uint32_t empty = full + Shape::kStages * 8;

  const std::uint32_t block = ptx::block_in_cluster();
  const std::uint32_t num_blocks = ptx::blocks_in_cluster();
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < Shape::kStages; ++stage) {
      ptx::mbarrier_init(full + stage * 8, 1);
      ptx::mbarrier_init(empty + stage * 8, kNumMultipliers * num_blocks);
    }
    ptx::fence_mbarrier_init();
  }
  __syncthreads();
  ptx::cluster_barrier();

  const std::uint64_t run = *work.epoch;
  const TileWalk walk(work, static_cast<std::int32_t>(blockIdx.x / num_blocks),
                      static_cast<std::int32_t>(gridDim.x / num_blocks));
  const int warpgroup = static_cast<int>(threadIdx.x) / kWarpgroup;
  if (warpgroup == kNumMultipliers) {
    ptx::keep_registers<kLoadRegisters>();
    if (threadIdx.x % kWarpgroup < 32)
      load_tiles<Shape, kEpilogue>(work, walk, stages, full, empty, block, num_blocks, run);
  } else {
    ptx::take_registers<kMultiplyRegisters>();
    const StoreBoxes boxes{.address = stores + static_cast<std::uint32_t>(warpgroup) * 2 * Shape::kStoreBytes,
                           .barrier = static_cast<std::uint32_t>(1 + warpgroup),
                           .thread = static_cast<int>(threadIdx.x) % kWarpgroup};
    multiply_tiles<Shape, kEpilogue>(work, walk, stages, full, empty, boxes, warpgroup, block, num_blocks, run);
  }
  // A block must not end while the other one still loads into it or arrives at its barriers.
  ptx::cluster_barrier();
}

}  // namespace meshmul::cuda
