#pragma once
// How a warpgroup stores the sums of a tile: by the copy engine through boxes in shared memory, element by element, or
// behind an epilogue.

#include <cstdint>

#include "execute/cuda/elements.cuh"
#include "execute/cuda/gemm/epilogue.cuh"
#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/ptx.cuh"

namespace meshmul::cuda {

/// Byte `offset` of a box of rows of `row_bytes` (128, 64 or 32), as the copy engine swizzles it.
template <int kRowBytes>
__device__ inline std::uint32_t swizzled(std::uint32_t offset) {
  constexpr std::uint32_t kMask = kRowBytes == 128 ? 0x70 : kRowBytes == 64 ? 0x30 : 0x10;
  return offset ^ (offset >> 3 & kMask);
}

/// Writes 64 rows and kColumns columns of sums, from column kFirst on, into a box in shared memory.
template <int kN, int kFirst, int kColumns, bool kWide, int kRowBytes = kColumns * (kWide ? 4 : 2)>
__device__ inline void fill_box(const float (&sums)[kN / 2], std::uint32_t box, Dtype output, int thread) {
  const int warp = thread / 32, lane = thread % 32;
  if constexpr (kWide) {
#pragma unroll
    for (int j = 0; j < kColumns / 8; ++j) {
#pragma unroll
      for (int lower = 0; lower < 2; ++lower) {
        const int row = warp * 16 + lower * 8 + lane / 4;
        const std::uint32_t at = box + swizzled<kRowBytes>(row * kRowBytes + (j * 8 + lane % 4 * 2) * 4);
        const int sum = (kFirst / 8 + j) * 4 + lower * 2;
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(sums[sum]), "f"(sums[sum + 1]) : "memory");
      }
    }
  } else {
    const int row = warp * 16 + lane / 8 % 2 * 8 + lane % 8;
#pragma unroll
    for (int j = 0; j < kColumns / 8; j += 2) {
      const std::uint32_t at = box + swizzled<kRowBytes>(row * kRowBytes + (j + lane / 16) * 16);
      const float* s = &sums[(kFirst / 8 + j) * 4];
      ptx::store_matrices(at, pack(output, s[0], s[1]), pack(output, s[2], s[3]), pack(output, s[4], s[5]),
                          pack(output, s[6], s[7]));
    }
  }
}

/// The boxes of shared memory through which one warpgroup stores, in turns.
struct StoreBoxes {
  std::uint32_t address;
  std::uint32_t barrier;  ///< of the warpgroup
  int thread;
  int turn = 0;

  /// The address of the box whose turn it is. It hides how it was computed: the compiler would otherwise keep the
  /// addresses of every row in registers over the whole product, which has none to spare.
  __device__ std::uint32_t next_box() {
    std::uint32_t box = address + turn * 64 * 128;
    turn ^= 1;
    asm volatile("" : "+r"(box));
    return box;
  }

  /// Stores columns kFirst to kFirst + kColumns - 1.
  template <int kN, int kFirst, int kColumns, bool kWide>
  __device__ void store(const float (&sums)[kN / 2], const TensorMap* map, Dtype output, std::int32_t row,
                        std::int32_t column) {
    const std::uint32_t box = next_box();
    if (thread == 0) ptx::wait_stores_read<1>();
    ptx::named_barrier(barrier, kWarpgroup);
    fill_box<kN, kFirst, kColumns, kWide>(sums, box, output, thread);
    ptx::fence_copy_engine_shared();
    ptx::named_barrier(barrier, kWarpgroup);
    if (thread == 0) {
      ptx::store_box(map, box, column + kFirst, row);
      ptx::commit_stores();
    }
  }

  template <int kN, int kFirst, bool kWide>
  __device__ void store_from(const float (&sums)[kN / 2], const TensorMap* map, const TensorMap* tail_map, Dtype output,
                             std::int32_t row, std::int32_t column) {
    constexpr int kWidth = kWide ? 32 : 64;
    if constexpr (kFirst + kWidth <= kN) {
      store<kN, kFirst, kWidth, kWide>(sums, map, output, row, column);
      store_from<kN, kFirst + kWidth, kWide>(sums, map, tail_map, output, row, column);
    } else if constexpr (kFirst < kN) {
      store<kN, kFirst, kN - kFirst, kWide>(sums, tail_map, output, row, column);
    }
  }

  /// Stores element by element, from column kFirst of the tile on: where the copy engine cannot, or c is added to.
  template <int kN, int kFirst>
  __device__ void store_elements_from(const float (&sums)[kN / 2], const GemmPiece& piece, std::int32_t row,
                                      std::int32_t column) {
    constexpr int kColumns = kFirst + 32 <= kN ? 32 : kN - kFirst;
    const std::uint32_t box = next_box();
    if (kFirst == 0) {
      if (thread == 0) ptx::wait_stores_read<0>();
    }
    ptx::named_barrier(barrier, kWarpgroup);
    fill_box<kN, kFirst, kColumns, true>(sums, box, Dtype::kF32, thread);
    ptx::named_barrier(barrier, kWarpgroup);
    const std::int32_t columns = min(kColumns, piece.n - column - kFirst);
    const std::int32_t rows = min(64, piece.m - row);
#pragma unroll 1
    for (int i = thread; i < 64 * kColumns; i += kWarpgroup) {
      const int r = i / kColumns, c = i % kColumns;
      if (r >= rows || c >= columns) continue;
      float sum;
      asm volatile("ld.shared.f32 %0, [%1];"
                   : "=f"(sum)
                   : "r"(box + swizzled<kColumns * 4>(r * kColumns * 4 + c * 4))
                   : "memory");
      const std::int64_t at = (row + r) * piece.c_row_stride + column + kFirst + c;
      if (piece.accumulate) sum += load<float>(piece.c, at, piece.output);
      cuda::store(piece.c, at, piece.output, sum);
    }
    if constexpr (kFirst + kColumns < kN) store_elements_from<kN, kFirst + kColumns>(sums, piece, row, column);
  }

  /// Stores behind the epilogue of the piece. Boxes are taken in turns, so that one barrier a box is enough. A loop over
  /// them keeps the kernel small: its body is long.
  template <int kN>
  __device__ void store_behind_epilogue(const float (&sums)[kN / 2], const GemmWork& work, const GemmPiece& piece,
                                        std::int32_t row, std::int32_t column) {
    if (thread == 0) ptx::wait_stores_read<0>();
    ptx::named_barrier(barrier, kWarpgroup);
    const EpilogueStep* const steps = work.epilogue_steps + piece.first_epilogue_step;
    const QuadPlace in_box = quad_place(thread);
#pragma unroll 1
    for (int first = 0; first < kN; first += kQuadColumns) {
      const std::uint32_t box = next_box();
      fill_columns<kN>(sums, first, box);
      ptx::named_barrier(barrier, kWarpgroup);
      QuadPlace place{.row = row + in_box.row, .column = column + first + in_box.column};
      place.rows = piece.m - place.row;
      place.columns = min(4, min(piece.n - place.column, kN - first - in_box.column));
      Quads x;
      if (piece.num_terms_ahead > 0) add_terms_ahead(x, piece, steps, place);
#pragma unroll
      for (int i = 0; i < kQuads; ++i) {
        const std::uint32_t offset = (in_box.row + i * kQuadStep) * kStoreRowBytes + in_box.column * 4;
        float sums_of_quad[4];
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(sums_of_quad[0]), "=f"(sums_of_quad[1]), "=f"(sums_of_quad[2]), "=f"(sums_of_quad[3])
                     : "r"(box + swizzled<kStoreRowBytes>(offset))
                     : "memory");
#pragma unroll
        for (int c = 0; c < 4; ++c) x[i][c] = piece.num_terms_ahead > 0 ? x[i][c] + sums_of_quad[c] : sums_of_quad[c];
      }
      finish_quads(x, piece, steps, place);
    }
  }

 private:
  /// Writes columns `first` to `first` + kQuadColumns - 1 of the sums, as far as there are, into a box.
  template <int kN, int kFirst = 0>
  __device__ void fill_columns(const float (&sums)[kN / 2], int first, std::uint32_t box) const {
    if constexpr (kFirst < kN) {
      constexpr int kColumns = kFirst + kQuadColumns <= kN ? kQuadColumns : kN - kFirst;
      if (first == kFirst)
        fill_box<kN, kFirst, kColumns, true, kStoreRowBytes>(sums, box, Dtype::kF32, thread);
      else
        fill_columns<kN, kFirst + kQuadColumns>(sums, first, box);
    }
  }
};

}  // namespace meshmul::cuda
