#pragma once
// Sums and elementwise functions over rows whose elements lie together: what a device does as fast as its memory
// allows.

#include <cstdint>
#include <optional>
#include <span>

#include "execute/cuda/element_loops.hpp"
#include "execute/cuda/gemm/host_device.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// `rows` rows of `row_quads` quads of floats, whose sums are f32. They are cut into tiles: one for a warp at a time,
/// kSteps quads for each of its threads.
struct ElementRows {
  static constexpr int kQuad = 4;  ///< elements, which lie together at a multiple of their bytes
  static constexpr int kSteps = 8;
  static constexpr int kWarp = 32;
  static constexpr int kMostSources = 16;

  struct Operand {
    const std::byte* data = nullptr;
    std::int64_t row_bytes = 0;   ///< from a row to the next
    std::int64_t step_bytes = 0;  ///< from a quad of a thread to the next one in its tile
    std::int32_t quad_bytes = 0;  ///< 0: one element counts for its whole row
    std::int32_t alike = 1;       ///< so many operands from this one on are quads of one dtype
    Dtype dtype = Dtype::kF32;
  };

  /// kAdd adds any number of sources but none, in their order. Others have as many as they take.
  MapFunction function = MapFunction::kAdd;
  std::int32_t num_sources = 0;
  std::int32_t rows = 1;
  std::int32_t row_quads = 0;
  std::int32_t column_bits = 0;  ///< 2^column_bits threads lie side by side in a row, the others below
  bool steps_down = false;       ///< from step to step a tile goes down, else along its rows
  Operand dst;
  Operand sources[kMostSources];

  MESHMUL_HOST_DEVICE std::int32_t thread_columns() const { return 1 << column_bits; }
  MESHMUL_HOST_DEVICE std::int32_t thread_rows() const { return kWarp >> column_bits; }
  MESHMUL_HOST_DEVICE std::int32_t tile_columns() const { return thread_columns() * (steps_down ? 1 : kSteps); }
  MESHMUL_HOST_DEVICE std::int32_t tile_rows() const { return thread_rows() * (steps_down ? kSteps : 1); }
  MESHMUL_HOST_DEVICE std::int32_t column_tiles() const { return (row_quads - 1) / tile_columns() + 1; }
  MESHMUL_HOST_DEVICE std::int32_t row_tiles() const { return (rows - 1) / tile_rows() + 1; }
  MESHMUL_HOST_DEVICE std::int64_t num_tiles() const { return static_cast<std::int64_t>(row_tiles()) * column_tiles(); }
};

/// Where the quads of a thread in a tile are.
struct ElementPlace {
  std::int32_t row = 0;
  std::int32_t column = 0;  ///< in quads
  std::int32_t steps = 0;   ///< that it has: all, or fewer at the edges
};
MESHMUL_HOST_DEVICE inline ElementPlace element_place(const ElementRows& work, std::int32_t tile, std::int32_t thread) {
  const std::int32_t row_tile = tile / work.column_tiles(), column_tile = tile - row_tile * work.column_tiles();
  ElementPlace place;
  place.row = row_tile * work.tile_rows() + (thread >> work.column_bits);
  place.column = column_tile * work.tile_columns() + (thread & (work.thread_columns() - 1));
  if (place.row >= work.rows || place.column >= work.row_quads) return place;
  const std::int32_t left = work.steps_down ? (work.rows - place.row - 1) / work.thread_rows() + 1
                                            : (work.row_quads - place.column - 1) / work.thread_columns() + 1;
  place.steps = left < ElementRows::kSteps ? left : ElementRows::kSteps;
  return place;
}

/// The same as `loops`, with the same bits, if it is over such rows and not empty.
std::optional<ElementRows> element_rows(const ElementLoops& loops);

/// dst = the sum of `terms`, all of its shape, added in f32 in their order and rounded once; if they lie in such rows,
/// are at least one and at most kMostSources.
std::optional<ElementRows> sum_rows(const View& dst, std::span<const ConstView> terms);

}  // namespace meshmul::cuda
