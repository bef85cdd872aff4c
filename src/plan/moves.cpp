#include "plan/moves.hpp"

#include <bit>

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

/// What happens to the dimensions, beyond the major axes that stay.
struct DimChanges {
  AxisSet lost = 0;
  AxisSet gained = 0;
  bool dim_loses_and_gains = false;
};

DimChanges compare_dims(const PackedSharding& from, const PackedSharding& to, int num_dims) {
  DimChanges changes;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(num_dims); ++dim) {
    const DimAxes& before = from.dims[dim];
    const DimAxes& after = to.dims[dim];
    if (before.order == after.order) continue;
    const AxisSet stay = before.major_set(std::countl_zero(before.order ^ after.order) / 4);
    const AxisSet lost = before.set & ~stay;
    const AxisSet gained = after.set & ~stay;
    changes.lost |= lost;
    changes.gained |= gained;
    changes.dim_loses_and_gains |= lost != 0 && gained != 0;
  }
  return changes;
}

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

std::optional<Transition> transition(const PackedSharding& from, const PackedSharding& to, int num_dims) {
  const AxisSet reduced = from.unreduced & ~to.unreduced;
  const AxisSet spread = to.unreduced & ~from.unreduced;
  if (reduced != 0 && spread != 0) return std::nullopt;
  // Most pairs that a reduction does not join differ in the set of axes that cut anything.
  if (reduced != 0 && to.cut != from.cut && to.cut != (from.cut | reduced)) return std::nullopt;
  const DimChanges changes = compare_dims(from, to, num_dims);
  if (reduced != 0) {
    if (changes.lost != 0) return std::nullopt;
    if (changes.gained == 0) return Transition{MoveKind::kAllReduce, reduced, 0};
    if (changes.gained == reduced) return Transition{MoveKind::kReduceScatter, reduced, reduced};
    return std::nullopt;
  }
  if (spread != 0) {
    if (changes.lost != 0 || changes.gained != 0) return std::nullopt;
    return Transition{MoveKind::kUnreduce, 0, spread};
  }
  if (changes.lost == 0) {
    if (changes.gained == 0) return std::nullopt;
    return Transition{MoveKind::kSlice, 0, changes.gained};
  }
  if (changes.gained == 0) return Transition{MoveKind::kAllGather, changes.lost, 0};
  if (changes.lost == changes.gained && !changes.dim_loses_and_gains)
    return Transition{MoveKind::kAllToAll, changes.lost, changes.gained};
  return Transition{MoveKind::kRedistribute, changes.lost, changes.gained};
}

bool have_equal_blocks(const ArrayType& from, const ArrayType& to, const Mesh& mesh) {
  for (int dim = 0; dim < from.num_dims(); ++dim)
    if (blocks(from, mesh, dim) != blocks(to, mesh, dim)) return false;
  return true;
}

}  // namespace meshmul
