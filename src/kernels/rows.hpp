#pragma once
// Walks several views of one shape together, row by row or tile by tile, in whatever order of the dimensions makes rows
// long and memory accesses near to each other.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>

#include "meshmul/view.hpp"

namespace meshmul {

/// A destination and at most two sources.
inline constexpr int kMaxOperands = 3;
/// Per operand, in elements.
using Offsets = std::array<std::int64_t, kMaxOperands>;

/// Nested loops over elements; operand 0 is the destination. The last dimension is the row.
struct Loops {
  struct Dim {
    std::int64_t extent = 1;
    Offsets strides{};
  };
  std::array<Dim, kMaxDims> dims{};
  int num_dims = 0;
  bool empty = false;
  /// A source is contiguous along the last dimension but one, and not along the last.
  bool crossed = false;

  const Dim& row() const { return dims[static_cast<std::size_t>(num_dims - 1)]; }
  /// The last dimension but one; there is one if `crossed`.
  const Dim& across() const { return dims[static_cast<std::size_t>(num_dims - 2)]; }
};

/// The loops over `views`, which have equal extents; the first is the destination. Drops dimensions of one element,
/// sorts by the destination's stride, and merges neighbours that are contiguous in every operand. There is at least one
/// dimension afterwards.
Loops make_loops(std::initializer_list<ConstView> views);

/// `offsets` after `steps` along `dim`.
inline Offsets advanced(Offsets offsets, const Loops::Dim& dim, std::int64_t steps) {
  for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] += dim.strides[k] * steps;
  return offsets;
}

/// Calls f(offsets) for every value of all dimensions but the last `num_inner`.
template <class F>
void for_each_outer(const Loops& loops, int num_inner, F&& f) {
  if (loops.empty) return;
  std::array<std::int64_t, kMaxDims> index{};
  Offsets offsets{};
  while (true) {
    f(offsets);
    int d = loops.num_dims - num_inner - 1;
    for (; d >= 0; --d) {
      const Loops::Dim& dim = loops.dims[static_cast<std::size_t>(d)];
      std::int64_t& i = index[static_cast<std::size_t>(d)];
      offsets = advanced(offsets, dim, 1);
      if (++i < dim.extent) break;
      offsets = advanced(offsets, dim, -dim.extent);
      i = 0;
    }
    if (d < 0) return;
  }
}

/// Calls row(offsets, n) for rows that together cover every element once. Within a row operand k steps by
/// loops.row().strides[k].
template <class Row>
void for_each_row(const Loops& loops, Row&& row) {
  for_each_outer(loops, 1, [&](const Offsets& offsets) { row(offsets, loops.row().extent); });
}

/// Calls tile(offsets, num_rows, num_columns) for tiles of at most `side` squared elements in the last two dimensions.
/// Tiles come in blocks of 16 x 16, so that the pages of a block are looked up once.
template <class Tile>
void for_each_tile(const Loops& loops, std::int64_t side, Tile&& tile) {
  const Loops::Dim& rows = loops.across();
  const Loops::Dim& columns = loops.row();
  const std::int64_t block = 16 * side;
  const auto tiles_of_block = [&](const Offsets& offsets, std::int64_t row_begin, std::int64_t column_begin) {
    const std::int64_t row_end = std::min(row_begin + block, rows.extent);
    const std::int64_t column_end = std::min(column_begin + block, columns.extent);
    for (std::int64_t i = row_begin; i < row_end; i += side)
      for (std::int64_t j = column_begin; j < column_end; j += side)
        tile(advanced(advanced(offsets, rows, i), columns, j), std::min(side, row_end - i),
             std::min(side, column_end - j));
  };
  for_each_outer(loops, 2, [&](const Offsets& offsets) {
    for (std::int64_t i = 0; i < rows.extent; i += block)
      for (std::int64_t j = 0; j < columns.extent; j += block) tiles_of_block(offsets, i, j);
  });
}

}  // namespace meshmul
