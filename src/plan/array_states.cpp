#include "plan/array_states.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "plan/memory.hpp"

namespace meshmul {

Extents::Extents(std::int64_t size, const AxisNumbering& axes) {
  for (unsigned cut = 0; cut <= axes.all(); ++cut) {
    const std::int64_t blocks = axes.size(cut);
    extents_[cut] = static_cast<double>((size + blocks - 1) / blocks);
  }
}

ArrayStates::ArrayStates(const ArrayType& array, ElementType element_type, AxisSet may_be_unreduced,
                         const AxisNumbering& axes, const CostModel& cost)
    : array_(array),
      element_type_(element_type),
      axes_(axes),
      cost_(cost),
      states_(all_shardings(array.num_dims(), axes.all(), may_be_unreduced)) {
  for (const Dim& dim : array.dims) extents_.emplace_back(dim.size, axes);
  for (const PackedSharding& state : states_) {
    double elements = 1;
    for (std::size_t dim = 0; dim < extents_.size(); ++dim) elements *= extents_[dim][state.dims[dim].set()];
    bytes_.push_back(elements * static_cast<double>(size_bytes(element_type_.of(state))));
  }
  for (int state = 0; state < num_states(); ++state) {
    if (groups_.empty() || groups_.back().unreduced != sharding(state).unreduced)
      groups_.push_back({sharding(state).unreduced, state, state});
    groups_.back().end = state + 1;
  }
}

int ArrayStates::find(const PackedSharding& sharding) const {
  const auto found = std::lower_bound(states_.begin(), states_.end(), sharding);
  assert(found != states_.end() && *found == sharding);
  return static_cast<int>(found - states_.begin());
}

std::vector<int> ArrayStates::complete_states() const {
  std::vector<int> complete;
  for (int state = 0; state < num_states(); ++state)
    if (sharding(state).unreduced == 0) complete.push_back(state);
  return complete;
}

double ArrayStates::scratch_of_reduction(const Transition& found, int from, int to) const {
  std::array<double, kMaxDims> shape{};
  for (std::size_t dim = 0; dim < extents_.size(); ++dim) shape[dim] = extents_[dim][sharding(to).dims[dim].set()];
  return scratch_bytes(found.kind, static_cast<double>(axes_.size(found.travelled)), element_type_.of(sharding(from)),
                       element_type_.of(sharding(to)), std::span(shape).first(extents_.size()));
}

ArrayType ArrayStates::type(int state) const {
  ArrayType type = array_;
  type.dtype = element_type_.of(sharding(state));
  type.sharding = axes_.unpack(sharding(state), array_.num_dims());
  type.open = false;
  return type;
}

Move ArrayStates::move(Operand operand, int from, int to) const {
  const std::optional<Transition> found = transition(sharding(from), sharding(to), array_.num_dims());
  assert(found);
  Move move{found->kind, operand, type(from), type(to), {}, {}};
  if (move.kind == MoveKind::kRedistribute && have_equal_blocks(move.from, move.to, axes_.mesh()))
    move.kind = MoveKind::kPermute;
  move.axes = axes_.unpack(found->travelled | found->gained);
  move.cost = cost_.move(found->kind, found->travelled, payload_bytes(found->kind, bytes(from), bytes(to)));
  return move;
}

void ArrayStates::append_moves(std::vector<Step>& steps, Operand operand, const std::vector<int>& states) const {
  for (std::size_t i = 1; i < states.size(); ++i) steps.emplace_back(move(operand, states[i - 1], states[i]));
}

}  // namespace meshmul
