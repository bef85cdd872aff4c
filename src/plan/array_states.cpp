#include "plan/array_states.hpp"

#include <array>
#include <cassert>
#include <span>

#include "plan/memory.hpp"

namespace meshmul {

double scratch_of_reduction(const StateSpace& space, const Transition& found, int from, int to, bool is_last) {
  std::array<double, kMaxDims> shape{};
  const std::vector<std::size_t>& order = space.order(is_last);
  for (std::size_t place = 0; place < order.size(); ++place) shape[place] = space.extent(to, order[place]);
  return scratch_bytes(found.kind, static_cast<double>(space.axes().size(found.travelled)), space.dtype(from),
                       space.dtype(to), std::span(shape).first(order.size()));
}

Move ArrayStates::move(Operand operand, int from, int to) const {
  const std::optional<Transition> found = transition(space_.sharding(from), space_.sharding(to), space_.num_dims());
  assert(found);
  const AxisNumbering& axes = space_.axes();
  Move move{found->kind, operand, space_.type(from), space_.type(to), {}, {}};
  if (move.kind == MoveKind::kRedistribute && have_equal_blocks(move.from, move.to, axes.mesh()))
    move.kind = MoveKind::kPermute;
  move.axes = axes.unpack(found->travelled | found->gained);
  move.cost =
      cost_.move(found->kind, found->travelled, payload_bytes(found->kind, space_.bytes(from), space_.bytes(to)));
  return move;
}

void ArrayStates::append_moves(std::vector<Step>& steps, Operand operand, const std::vector<int>& states) const {
  for (std::size_t i = 1; i < states.size(); ++i) steps.emplace_back(move(operand, states[i - 1], states[i]));
}

}  // namespace meshmul
