#pragma once
// A run of products with the waits ahead of them and the signals behind them, as the device reads it. All indices are
// into the arrays of one GemmWork; sizes are in elements.

#include <cstdint>

#include "execute/cuda/device_op_times.hpp"
#include "execute/cuda/gemm/host_device.hpp"
#include "execute/cuda/gemm/tile_order.hpp"
#include "execute/cuda/signals.hpp"
#include "meshmul/dtype.hpp"
#include "meshmul/map_function.hpp"

namespace meshmul::cuda {

/// Rows of a tile, which is what one block multiplies at a time; of its columns a kernel has its own number.
inline constexpr int kTileM = 128;
/// Of the contraction, what is loaded and multiplied at a time.
inline constexpr int kStepBytes = 128;
/// Threads that multiply half the rows of a tile, and that store them in boxes of as many rows.
inline constexpr int kWarpgroup = 128;
inline constexpr int kNumMultipliers = 2;
inline constexpr int kStoreRows = kTileM / kNumMultipliers;
inline constexpr int kStoreRowBytes = 128;

/// A part of a contraction: operands that lie together. The sum over all parts is one product.
struct GemmSegment {
  std::int32_t a_map = 0;      ///< tensor map of the operand of `m` rows
  std::int32_t b_map = 0;      ///< tensor map of the operand of `n` columns
  std::int32_t num_steps = 0;  ///< at least 1
  std::int32_t num_waits = 0;  ///< how many of the first waits of the run come before its operands are read
};

/// Rows up to `end_row` (not included) of a product come after the first `num_waits` waits of the run.
struct RowGroup {
  std::int32_t end_row = 0;
  std::int32_t num_waits = 0;
};

/// A step between the sums of a product and its result: the sums are rounded to `rounded_to`, then become
/// function(sums, operand), in f32. So the bits are those of a gemm that stores `rounded_to` and of a map or reduce
/// behind it.
struct EpilogueStep {
  MapFunction function = MapFunction::kConvert;  ///< `is_epilogue` of it
  const void* operand = nullptr;                 ///< of functions of two arrays
  /// From a row and a column of c to the next, elements of the operand; 0 where all have one.
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;
  Dtype dtype = Dtype::kF32;       ///< of the operand: one whose accumulator is f32
  Dtype rounded_to = Dtype::kF32;  ///< the same; f32: as they are
  std::int32_t num_waits = 0;      ///< how many of the first waits of the run come before the operand is read
};

/// A term that is added to sums, first step of an epilogue as far as it goes: a matrix like c of 16-bit floats, which
/// comes through the stages of shared memory as the operands do, while tiles are still multiplied.
struct GemmTerm {
  std::int32_t map = 0;            ///< tensor map: boxes of kTileM rows of 128 bytes
  Dtype dtype = Dtype::kBf16;      ///< or f16
  Dtype rounded_to = Dtype::kF32;  ///< the sums are, before it is added: bf16, f16, or f32: as they are
  std::int32_t num_waits = 0;      ///< how many of the first waits of the run come before it is read
};

/// c = sum over its segments of a * b, behind its terms and its epilogue; or c += with `accumulate`, which has none.
struct GemmPiece {
  std::int32_t m = 0;
  std::int32_t n = 0;
  TileGrid grid;                ///< its rows are those of a cluster: `cluster` tiles below one another
  std::int32_t first_tile = 0;  ///< number of its first tile in the run
  std::int32_t first_segment = 0;
  std::int32_t num_segments = 0;
  std::int32_t num_steps =
      0;  ///< of all segments; a step is 128 bytes of the contraction, the last one of a segment perhaps less
  std::int32_t first_row_group = 0;
  std::int32_t num_row_groups = 0;
  std::int32_t c_map = -1;       ///< tensor map by which c is stored; -1: element by element
  std::int32_t c_tail_map = -1;  ///< of the columns of a tile behind its last whole 128 bytes
  std::int32_t accumulate = 0;
  std::int32_t first_epilogue_step = 0;
  std::int32_t num_epilogue_steps = 0;
  std::int32_t num_terms_ahead = 0;  ///< of the steps: terms that are added up before the product is added to them
  std::int32_t first_term = 0;
  std::int32_t num_terms = 0;
  std::int32_t num_loaded_ahead = 0;  ///< of the terms, those that are added up before the product is added to them
  std::int32_t first_raise = 0;       ///< raised once this piece and all ahead of it are done
  std::int32_t num_raises = 0;
  std::int32_t op = 0;  ///< number among the ops of all ranks
  Dtype output = Dtype::kBf16;
  void* c = nullptr;
  std::int64_t c_row_stride = 0;
};

/// 128 bytes that the driver makes and the copy engine of a multiprocessor reads (CUtensorMap).
struct alignas(64) TensorMap {
  std::uint64_t words[16];
};

/// Everything that a launch of the kernel is told. All pointers are to device memory.
struct GemmWork {
  const GemmPiece* pieces = nullptr;
  const GemmSegment* segments = nullptr;
  const RowGroup* row_groups = nullptr;
  const EpilogueStep* epilogue_steps = nullptr;
  const GemmTerm* terms = nullptr;
  const SignalWait* waits = nullptr;
  const SignalRaise* raises = nullptr;
  const TensorMap* maps = nullptr;
  std::uint32_t* finished_tiles = nullptr;   ///< one a piece; only grows
  std::uint32_t* finished_pieces = nullptr;  ///< one word; only grows
  const std::uint64_t* epoch = nullptr;
  DeviceOpTimes* times = nullptr;  ///< by op; null if nobody wants them
  WaitControl control;
  std::int32_t num_pieces = 0;
  std::int32_t num_tiles = 0;  ///< of all pieces
  std::int32_t num_waits = 0;
  std::int32_t num_raises = 0;  ///< of all pieces

  /// Whether somebody wants to know when a piece is finished.
  MESHMUL_HOST_DEVICE bool counts() const { return num_raises > 0 || times != nullptr; }
};

/// How many of the first waits of a run come before rows `begin` to `end` (not included) of a piece, given its row
/// groups. Rows behind the last group need nothing that the groups do not name.
MESHMUL_HOST_DEVICE inline std::int32_t waits_of_rows(const RowGroup* groups, std::int32_t num_groups,
                                                      std::int32_t begin, std::int32_t end) {
  std::int32_t waits = 0;
  std::int32_t group_begin = 0;
  for (std::int32_t i = 0; i < num_groups && group_begin < end; ++i) {
    const bool touched = groups[i].end_row > begin && groups[i].end_row > group_begin;
    if (touched && groups[i].num_waits > waits) waits = groups[i].num_waits;
    group_begin = groups[i].end_row;
  }
  return waits;
}

}  // namespace meshmul::cuda
