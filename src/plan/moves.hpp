#pragma once
// Which single move, if any, leads from one sharding to another.

#include <optional>

#include "meshmul/plan.hpp"
#include "plan/packed_sharding.hpp"

namespace meshmul {

struct Transition {
  MoveKind kind = MoveKind::kSlice;
  AxisSet travelled = 0;  ///< axes along which data moves: what the cost formulas count
  AxisSet gained = 0;     ///< axes that cut a dimension afterwards and did not, or not in this place, before
};

/// What happens to the dimensions, beyond the major axes that stay.
struct DimChanges {
  AxisSet lost = 0;
  AxisSet gained = 0;
  bool dim_loses_and_gains = false;
};

inline DimChanges compare_dims(const PackedSharding& from, const PackedSharding& to, int num_dims) {
  DimChanges changes;
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(num_dims); ++dim) {
    const AxisSet lost = from.dims[dim].not_shared_with(to.dims[dim]);
    const AxisSet gained = to.dims[dim].not_shared_with(from.dims[dim]);
    changes.lost |= lost;
    changes.gained |= gained;
    changes.dim_loses_and_gains |= static_cast<bool>(static_cast<int>(lost != 0) & static_cast<int>(gained != 0));
  }
  return changes;
}

/// The cheapest kind of move from `from` to `to`; nothing if they are equal or no single move leads there.
///
///     kSlice          dims gain axes that were unused, at their minor end
///     kUnreduce       {U_…} gains axes that were unused
///     kAllGather      dims lose axes from their minor end
///     kAllToAll       dims lose axes from their minor end, other dims gain the same axes at theirs
///     kAllReduce      {U_…} loses axes
///     kReduceScatter  {U_…} loses axes, dims gain the same axes at their minor end
///     kRedistribute   every other change of dims; {U_…} stays
///
/// The search asks this of every pair of states, so that it has few branches.
inline std::optional<Transition> transition(const PackedSharding& from, const PackedSharding& to, int num_dims) {
  const AxisSet reduced = from.unreduced & ~to.unreduced;
  const AxisSet spread = to.unreduced & ~from.unreduced;
  // Most pairs that a reduction does not join differ in the set of axes that cut anything.
  if (reduced != 0 && to.cut != from.cut && to.cut != (from.cut | reduced)) return std::nullopt;
  const auto [lost, gained, dim_loses_and_gains] = compare_dims(from, to, num_dims);
  if (reduced != 0) {
    if (spread != 0 || lost != 0 || (gained != 0 && gained != reduced)) return std::nullopt;
    return Transition{gained == 0 ? MoveKind::kAllReduce : MoveKind::kReduceScatter, reduced, gained};
  }
  if (spread != 0) {
    if (lost != 0 || gained != 0) return std::nullopt;
    return Transition{MoveKind::kUnreduce, 0, spread};
  }
  if ((lost | gained) == 0) return std::nullopt;
  // By: loses any, gains any, other dims gain what some lose.
  constexpr MoveKind kKinds[8] = {MoveKind::kSlice,        MoveKind::kSlice,     MoveKind::kSlice,
                                  MoveKind::kSlice,        MoveKind::kAllGather, MoveKind::kAllGather,
                                  MoveKind::kRedistribute, MoveKind::kAllToAll};
  const auto swaps = static_cast<unsigned>(lost == gained) & static_cast<unsigned>(!dim_loses_and_gains);
  return Transition{kKinds[static_cast<unsigned>(lost != 0) * 4U + static_cast<unsigned>(gained != 0) * 2U + swaps],
                    lost, gained};
}

/// True if every block of `from` is a block of `to` and the other way round, so that a kRedistribute between them is a
/// kPermute.
bool have_equal_blocks(const ArrayType& from, const ArrayType& to, const Mesh& mesh);

}  // namespace meshmul
