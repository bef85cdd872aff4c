#include "plan/way/single_move.hpp"

#include "plan/dimension_order.hpp"

namespace meshmul {

std::optional<Transition> single_move(const ArrayType& from, const ArrayType& to, const AxisNumbering& axes) {
  const PackedSharding before = axes.pack(from.sharding);
  const PackedSharding after = axes.pack(in_order_of(from, to).sharding);
  if (before == after) return Transition{};
  return transition(before, after, from.num_dims());
}

}  // namespace meshmul
