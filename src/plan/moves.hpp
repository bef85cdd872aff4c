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

/// The cheapest kind of move from `from` to `to`; nothing if they are equal or no single move leads there.
///
///     kSlice          dims gain axes that were unused, at their minor end
///     kUnreduce       {U_…} gains axes that were unused
///     kAllGather      dims lose axes from their minor end
///     kAllToAll       dims lose axes from their minor end, other dims gain the same axes at theirs
///     kAllReduce      {U_…} loses axes
///     kReduceScatter  {U_…} loses axes, dims gain the same axes at their minor end
///     kRedistribute   every other change of dims; {U_…} stays
std::optional<Transition> transition(const PackedSharding& from, const PackedSharding& to, int num_dims);

/// True if every block of `from` is a block of `to` and the other way round, so that a kRedistribute between them is a
/// kPermute.
bool have_equal_blocks(const ArrayType& from, const ArrayType& to, const Mesh& mesh);

}  // namespace meshmul
