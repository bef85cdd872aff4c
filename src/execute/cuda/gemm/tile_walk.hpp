#pragma once
// The tiles of one cluster of blocks, in the order in which it does them.

#include <cstdint>

#include "execute/cuda/gemm/gemm_work.hpp"

namespace meshmul::cuda {

/// Cluster c of n does tiles c, c + n, c + 2 n, … of a run.
class TileWalk {
 public:
  MESHMUL_HOST_DEVICE TileWalk(const GemmWork& work, std::int32_t cluster, std::int32_t num_clusters)
      : work_(work), next_(cluster), stride_(num_clusters) {}

  /// Goes to the next tile, and returns whether there is one.
  MESHMUL_HOST_DEVICE bool next() {
    if (next_ >= work_.num_tiles) return false;
    while (piece_ + 1 < work_.num_pieces && next_ >= work_.pieces[piece_ + 1].first_tile) ++piece_;
    place_ = tile_place(piece().grid, next_ - piece().first_tile);
    next_ += stride_;
    return true;
  }
  MESHMUL_HOST_DEVICE const GemmPiece& piece() const { return work_.pieces[piece_]; }
  MESHMUL_HOST_DEVICE std::int32_t piece_number() const { return piece_; }

  /// First row, in its piece, of the tile of block `block` of `num_blocks` of the cluster, and first column of all of
  /// them.
  MESHMUL_HOST_DEVICE std::int32_t row(std::uint32_t block, std::uint32_t num_blocks, std::int32_t tile_m) const {
    return (place_.row * static_cast<std::int32_t>(num_blocks) + static_cast<std::int32_t>(block)) * tile_m;
  }
  MESHMUL_HOST_DEVICE std::int32_t column(std::int32_t tile_n) const { return place_.column * tile_n; }

 private:
  const GemmWork& work_;
  std::int32_t next_;
  std::int32_t stride_;
  std::int32_t piece_ = 0;
  TilePlace place_;
};

}  // namespace meshmul::cuda
