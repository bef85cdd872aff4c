#pragma once
// Which tile of a product comes when. One map serves the waits, the loads and the stores, on the host and on the
// device.

#include <cstdint>

#include "execute/cuda/gemm/host_device.hpp"

namespace meshmul::cuda {

/// How a product of `m` x `n` is cut: tiles of `tile_m` x `tile_n`, of which `rows_together` rows of tiles are walked
/// at once, so that what they read stays in the cache of the device. Tiles at the end may be short.
struct TileGrid {
  std::int32_t m_tiles = 0;
  std::int32_t n_tiles = 0;
  std::int32_t rows_together = 1;

  MESHMUL_HOST_DEVICE std::int32_t num_tiles() const { return m_tiles * n_tiles; }
};

/// A tile by its row and column of tiles.
struct TilePlace {
  std::int32_t row = 0;
  std::int32_t column = 0;
};

/// Tile number `index` of 0 to `num_tiles() - 1`: bands of `rows_together` rows from top to bottom, in a band column by
/// column, in a column from top to bottom. The last band may have fewer rows.
MESHMUL_HOST_DEVICE inline TilePlace tile_place(const TileGrid& grid, std::int32_t index) {
  const std::int32_t tiles_a_band = grid.rows_together * grid.n_tiles;
  const std::int32_t band = index / tiles_a_band;
  const std::int32_t first_row = band * grid.rows_together;
  const std::int32_t rows_left = grid.m_tiles - first_row;
  const std::int32_t rows = rows_left < grid.rows_together ? rows_left : grid.rows_together;
  const std::int32_t in_band = index - band * tiles_a_band;
  return {first_row + in_band % rows, in_band / rows};
}

}  // namespace meshmul::cuda
