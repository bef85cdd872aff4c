#pragma once
// A run of products as the tables that the kernel walks, still in memory of the host.

#include <cstdint>
#include <string>
#include <vector>

#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/product.hpp"

namespace meshmul::cuda {

/// Which kernel does a run, and how its tiles are walked.
struct TileChoice {
  std::int32_t tile_n = 0;
  std::int32_t cluster = 2;        ///< blocks, one below the other, that share the operand of columns
  std::int32_t rows_together = 8;  ///< rows of clusters that are walked at once
};
std::string to_string(const TileChoice& choice);

/// A matrix and the boxes in which it is read or written.
struct BoxedMatrix {
  DeviceMatrix matrix;
  std::int64_t box_inner = 0;
  std::int64_t box_outer = 0;
};

struct GemmTables {
  std::vector<BoxedMatrix> maps;
  std::vector<GemmPiece> pieces;
  std::vector<GemmSegment> segments;
  std::vector<RowGroup> row_groups;
  std::vector<EpilogueStep> epilogue_steps;
  std::vector<GemmTerm> terms;
  std::vector<SignalWait> waits;
  std::vector<SignalRaise> raises;
  std::int32_t num_tiles = 0;
};

/// Requires `has_kernel`. Pieces are the products, in their order.
GemmTables make_tables(const ProductKind& kind, const std::vector<Product>& products,
                       const std::vector<SignalWait>& waits, const TileChoice& choice);

}  // namespace meshmul::cuda
