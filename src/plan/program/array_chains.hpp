#pragma once
// One array of a statement: its states, and the cheapest chains of moves that begin, or end, at each sharding that it
// may have outside of the statement.

#include <span>
#include <vector>

#include "plan/array_states.hpp"
#include "plan/paths.hpp"

namespace meshmul {

class ArrayChains {
 public:
  /// Chains begin at `options` (kFromAnchors) or end there. Axes in `may_be_unreduced` may be in {U_…} on the way.
  /// `last_order` as StateSpace has it.
  ArrayChains(ArrayType type, ElementType element_type, AxisSet may_be_unreduced,
              std::span<const PackedSharding> options, Direction direction, const AxisNumbering& axes,
              const CostModel& cost, std::vector<std::size_t> last_order = {});
  ArrayChains(const ArrayChains&) = delete;
  ArrayChains& operator=(const ArrayChains&) = delete;

  const StateSpace& space() const { return space_; }
  const ArrayStates& states() const { return states_; }
  int num_options() const { return static_cast<int>(tables_.size()); }
  /// The state of an option.
  int state(int option) const { return option_states_[static_cast<std::size_t>(option)]; }
  /// Their memory is that of the arrays and the scratch that their moves make.
  const PathTable& table(int option) const { return tables_[static_cast<std::size_t>(option)]; }

 private:
  const ArrayType type_;
  StateSpace space_;
  ArrayStates states_;
  std::vector<int> option_states_;
  std::vector<PathTable> tables_;
};

}  // namespace meshmul
