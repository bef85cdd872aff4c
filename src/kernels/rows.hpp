#pragma once
// Walks several views of one shape together, row by row, in whatever order of the dimensions makes rows long and memory
// accesses near to each other.

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
  /// A source is contiguous along the last dimension but one: both are walked in tiles, so that cache lines of that
  /// source are used up before they leave the cache.
  bool tiled = false;

  const Dim& row() const { return dims[static_cast<std::size_t>(num_dims - 1)]; }
};

/// The loops over `views`, which have equal extents; the first is the destination. Drops dimensions of one element,
/// sorts by the destination's stride, and merges neighbours that are contiguous in every operand. There is at least one
/// dimension afterwards.
Loops make_loops(std::initializer_list<ConstView> views);

/// Calls row(offsets, n) for rows that together cover every element once. Within a row operand k steps by
/// loops.row().strides[k]. Rows are long where the destination is contiguous; in tiles they are short.
template <class Row>
void for_each_row(const Loops& loops, Row&& row) {
  constexpr std::int64_t kTileRows = 16;
  constexpr std::int64_t kTileColumns = 64;
  if (loops.empty) return;
  const Loops::Dim& inner = loops.row();
  const auto advance = [](Offsets& offsets, const Loops::Dim& dim, std::int64_t steps) {
    for (std::size_t k = 0; k < offsets.size(); ++k) offsets[k] += dim.strides[k] * steps;
  };
  const auto tiles = [&](const Offsets& base, const Loops::Dim& middle) {
    for (std::int64_t i0 = 0; i0 < middle.extent; i0 += kTileRows)
      for (std::int64_t j0 = 0; j0 < inner.extent; j0 += kTileColumns)
        for (std::int64_t i = i0; i < std::min(i0 + kTileRows, middle.extent); ++i) {
          Offsets offsets = base;
          advance(offsets, middle, i);
          advance(offsets, inner, j0);
          row(offsets, std::min(kTileColumns, inner.extent - j0));
        }
  };

  const int num_outer = loops.num_dims - (loops.tiled ? 2 : 1);
  std::array<std::int64_t, kMaxDims> index{};
  Offsets base{};
  while (true) {
    if (loops.tiled)
      tiles(base, loops.dims[static_cast<std::size_t>(num_outer)]);
    else
      row(base, inner.extent);
    int d = num_outer - 1;
    for (; d >= 0; --d) {
      const Loops::Dim& dim = loops.dims[static_cast<std::size_t>(d)];
      std::int64_t& i = index[static_cast<std::size_t>(d)];
      advance(base, dim, 1);
      if (++i < dim.extent) break;
      advance(base, dim, -dim.extent);
      i = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace meshmul
