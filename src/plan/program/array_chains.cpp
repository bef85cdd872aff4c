#include "plan/program/array_chains.hpp"

#include <utility>

namespace meshmul {

ArrayChains::ArrayChains(ArrayType type, ElementType element_type, AxisSet may_be_unreduced,
                         std::span<const PackedSharding> options, Direction direction, const AxisNumbering& axes,
                         const CostModel& cost, std::vector<std::size_t> last_order)
    : type_(std::move(type)),
      space_(type_, element_type, may_be_unreduced, axes, std::move(last_order)),
      states_(space_, cost) {
  for (const PackedSharding& option : options) {
    option_states_.push_back(space_.find(option));
    const Anchor anchor{option_states_.back(), 0};
    tables_.emplace_back(states_, direction, std::span(&anchor, 1));
  }
}

}  // namespace meshmul
