#pragma once
// The product kernel: persistent, its warps specialised. One warp of each block waits for signals and asks the copy
// engine for operands, a step of 128 bytes of the contraction at a time; two warpgroups multiply 64 rows of the tile
// each and store them. Two blocks of a cluster, one tile below the other, share the operand of columns: each loads half
// of every step for both.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "execute/cuda/device_words.cuh"
#include "execute/cuda/elements.cuh"
#include "execute/cuda/gemm/epilogue.cuh"
#include "execute/cuda/gemm/gemm_kernels.hpp"
#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/ptx.cuh"
#include "execute/cuda/gemm/tile_walk.hpp"
#include "execute/cuda/gemm/wgmma.cuh"
#include "execute/cuda/signal_protocol.hpp"

namespace meshmul::cuda {

// A multiprocessor has room for another small block beside one of this kernel: 128 threads of 56 registers, and the 1 KB
// of shared memory that every block takes. Each of its four parts has 512 registers a lane, of which one warp of that
// block takes 56; the three warps of this kernel there are launched with an equal share of the other 456, and divide it
// anew: the one that loads leaves what those that multiply take. Of 228 KB of shared memory, both blocks take 1 KB each.
inline constexpr int kLaunchRegisters = 152;
inline constexpr int kMultiplyRegisters = 208;
inline constexpr int kLoadRegisters = 40;
inline constexpr int kMaxSharedBytes = 226 * 1024;
static_assert((1 + kNumMultipliers) * kLaunchRegisters + 56 <= 512);
static_assert(kNumMultipliers * kMultiplyRegisters + kLoadRegisters <= (1 + kNumMultipliers) * kLaunchRegisters);
static_assert(kMaxSharedBytes + 1024 + 1024 <= 228 * 1024);

/// Columns of a term that are loaded and added at a time: 128 bytes.
inline constexpr int kTermColumns = 64;

/// What a kernel is compiled for. `kPromotesOf`: sums of f8 products are promoted to f32 after each step of 128 elements;
/// the hardware keeps some 14 bits of them.
template <Dtype kElementOf, Major kAMajorOf, Major kBMajorOf, int kTileNOf, bool kPromotesOf = false>
struct GemmShape {
  static constexpr Dtype kElement = kElementOf;
  static constexpr Major kA = kAMajorOf;
  static constexpr Major kB = kBMajorOf;
  static constexpr int kTileN = kTileNOf;
  static constexpr bool kPromotes = kPromotesOf;
  static constexpr int kStep = kElement == Dtype::kF8e4m3 ? 128 : 64;  ///< elements of the contraction a step
  static constexpr int kInstructionBytes = 32;                         ///< of the contraction, an instruction
  static constexpr int kInstructions = kStepBytes / kInstructionBytes;
  static constexpr int kColumnGroups = (kTileN + 63) / 64;

  static constexpr int kABytes = kTileM * kStepBytes;
  static constexpr int kBBytes = (kB == Major::kContracted ? kTileN : kColumnGroups * 64) * kStepBytes;
  static constexpr int kStageBytes = kABytes + kBBytes;
  static constexpr int kStoreBytes = 64 * 128;  ///< 64 rows of 128 bytes, two for each warpgroup that multiplies
  static constexpr int kAllStoreBytes = 2 * kNumMultipliers * kStoreBytes;
  static constexpr int kBarrierBytes = 1024;
  static constexpr int kStages = (kMaxSharedBytes - 1024 - kBarrierBytes - kAllStoreBytes) / kStageBytes;
  static constexpr int kSharedBytes = 1024 + kBarrierBytes + kAllStoreBytes + kStages * kStageBytes;
  static_assert(kStages >= 3);
};

/// The stage of shared memory that comes next, and the parity of its barriers.
template <int kStages>
struct StageWalk {
  int stage = 0;
  std::uint32_t parity = 0;
  __device__ void advance() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

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

/// Byte `offset` of a box of rows of `row_bytes` (128, 64 or 32), as the copy engine swizzles it.
template <int kRowBytes>
__device__ inline std::uint32_t swizzled(std::uint32_t offset) {
  constexpr std::uint32_t kMask = kRowBytes == 128 ? 0x70 : kRowBytes == 64 ? 0x30 : 0x10;
  return offset ^ (offset >> 3 & kMask);
}

__device__ inline std::uint32_t pack(Dtype element, float low, float high) {
  if (element == Dtype::kBf16) {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return reinterpret_cast<const std::uint32_t&>(pair);
  }
  const __half2 pair = __floats2half2_rn(low, high);
  return reinterpret_cast<const std::uint32_t&>(pair);
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

/// How many of the first waits of the run come before the epilogue of a piece.
__device__ inline std::int32_t waits_of_epilogue(const GemmWork& work, const GemmPiece& piece) {
  std::int32_t waits = 0;
  for (std::int32_t i = 0; i < piece.num_epilogue_steps; ++i)
    waits = max(waits, work.epilogue_steps[piece.first_epilogue_step + i].num_waits);
  return waits;
}

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

__device__ inline float2 unpack(Dtype dtype, std::uint32_t pair) {
  if (dtype == Dtype::kBf16) return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xFFFF0000U)};
  return __half22float2(reinterpret_cast<const __half2&>(pair));
}

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
