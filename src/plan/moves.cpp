#include "plan/moves.hpp"

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

/// The blocks that cut dimension `dim`, by position; every device along other axes holds the same.
std::vector<Interval> blocks(const ArrayType& type, const Mesh& mesh, int dim) {
  const auto d = static_cast<std::size_t>(dim);
  std::vector<Interval> blocks{{0, type.dims[d].size}};
  for (const int axis : type.sharding.dims[d]) {
    std::vector<Interval> finer;
    for (const Interval& block : blocks)
      for (std::int64_t coordinate = 0; coordinate < mesh.size(axis); ++coordinate)
        finer.push_back(cut(block, mesh.size(axis), coordinate));
    blocks = std::move(finer);
  }
  return blocks;
}

}  // namespace

bool have_equal_blocks(const ArrayType& from, const ArrayType& to, const Mesh& mesh) {
  for (int dim = 0; dim < from.num_dims(); ++dim)
    if (blocks(from, mesh, dim) != blocks(to, mesh, dim)) return false;
  return true;
}

}  // namespace meshmul
