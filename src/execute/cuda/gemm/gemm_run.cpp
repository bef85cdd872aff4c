#include "execute/cuda/gemm/gemm_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/gemm/tensor_map.hpp"
#include "execute/cuda/table_image.hpp"

namespace meshmul::cuda {
namespace {

/// Device time of a tile column by column, in units of one column of a wide tile, as measured on an H200: what narrow
/// tiles lose by reading the operand of rows more often, above all where no neighbour shares that of columns.
double column_cost(std::int32_t tile_n, std::int32_t cluster) {
  constexpr std::int32_t kNarrow = 128;
  if (tile_n > kNarrow) return cluster == 1 ? 1.01 : 1.0;
  return cluster == 1 ? 1.3 : 1.01;
}

}  // namespace

TileChoice choose_tiles(const ProductKind& kind, const std::vector<Product>& products, std::int32_t num_blocks) {
  TileChoice best;
  double best_cost = std::numeric_limits<double>::infinity();
  const bool epilogue = has_epilogue(products);
  for (const GemmKernel& kernel : gemm_kernels()) {
    if (!multiplies(kernel.key, kind) || kernel.key.epilogue != epilogue) continue;
    for (const std::int32_t cluster : {2, 1}) {
      if (num_blocks < cluster) continue;
      double tiles = 0, steps = 0;
      for (const Product& product : products) {
        const double count =
            static_cast<double>(divide_up(product.m, kTileM * cluster) * divide_up(product.n, kernel.key.tile_n));
        tiles += count;
        for (const ProductPart& part : product.parts)
          steps += count * static_cast<double>(divide_up(part.k * size_bytes(kind.element), kStepBytes));
      }
      if (tiles == 0) continue;
      const double waves = std::ceil(tiles / static_cast<double>(num_blocks / cluster));
      constexpr double kStepsOfStoring = 4;
      const double cost =
          waves * (steps / tiles + kStepsOfStoring) * kernel.key.tile_n * column_cost(kernel.key.tile_n, cluster);
      if (cost < best_cost) {
        best_cost = cost;
        best = {.tile_n = kernel.key.tile_n, .cluster = cluster};
      }
    }
  }
  return best;
}

GemmRun::GemmRun(const ProductKind& kind, const std::vector<Product>& products, const std::vector<SignalWait>& waits,
                 const std::uint64_t* epoch, DeviceOpTimes* times, const WaitControl& control, const TileChoice& choice,
                 std::int32_t num_blocks)
    : num_blocks_(num_blocks / choice.cluster * choice.cluster), cluster_(choice.cluster) {
  const auto found = std::ranges::find_if(gemm_kernels(), [&](const GemmKernel& kernel) {
    return multiplies(kernel.key, kind) && kernel.key.tile_n == choice.tile_n &&
           kernel.key.epilogue == has_epilogue(products);
  });
  assert(found != gemm_kernels().end());
  kernel_ = &*found;
  load(*kernel_);

  const GemmTables tables = make_tables(kind, products, waits, choice);
  std::vector<TensorMap> maps;
  for (const BoxedMatrix& boxed : tables.maps)
    maps.push_back(make_tensor_map(boxed.matrix, boxed.box_inner, boxed.box_outer));
  TableImage image;
  const std::size_t maps_at = image.add(maps), pieces_at = image.add(tables.pieces),
                    segments_at = image.add(tables.segments), row_groups_at = image.add(tables.row_groups),
                    epilogue_at = image.add(tables.epilogue_steps), terms_at = image.add(tables.terms),
                    waits_at = image.add(tables.waits), raises_at = image.add(tables.raises),
                    counts_at = image.add(std::vector<std::uint32_t>(tables.pieces.size() + 1));
  tables_ = DeviceMemory(image.bytes().size());
  check(cudaMemcpy(tables_.data(), image.bytes().data(), image.bytes().size(), cudaMemcpyHostToDevice),
        "writing the tables of a run of products");
  const std::byte* const device = tables_.data();
  work_.maps = reinterpret_cast<const TensorMap*>(device + maps_at);
  work_.pieces = reinterpret_cast<const GemmPiece*>(device + pieces_at);
  work_.segments = reinterpret_cast<const GemmSegment*>(device + segments_at);
  work_.row_groups = reinterpret_cast<const RowGroup*>(device + row_groups_at);
  work_.terms = reinterpret_cast<const GemmTerm*>(device + terms_at);
  work_.epilogue_steps = reinterpret_cast<const EpilogueStep*>(device + epilogue_at);
  work_.waits = reinterpret_cast<const SignalWait*>(device + waits_at);
  work_.raises = reinterpret_cast<const SignalRaise*>(device + raises_at);
  work_.finished_tiles = reinterpret_cast<std::uint32_t*>(tables_.data() + counts_at);
  work_.finished_pieces = work_.finished_tiles + tables.pieces.size();
  work_.epoch = epoch;
  work_.times = times;
  work_.control = control;
  work_.num_pieces = static_cast<std::int32_t>(tables.pieces.size());
  work_.num_tiles = tables.num_tiles;
  work_.num_waits = static_cast<std::int32_t>(tables.waits.size());
  work_.num_raises = static_cast<std::int32_t>(tables.raises.size());
}

void GemmRun::launch(cudaStream_t stream) const {
  if (work_.num_tiles > 0) cuda::launch(*kernel_, work_, num_blocks_, cluster_, stream);
}

}  // namespace meshmul::cuda
