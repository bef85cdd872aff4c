#include "plan/array_states.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "plan/memory.hpp"

namespace meshmul {

Extents::Extents(std::int64_t size, const AxisNumbering& axes) {
  for (unsigned cut = 0; cut <= axes.all(); ++cut) {
    const std::int64_t blocks = axes.size(static_cast<AxisSet>(cut));
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
    for (std::size_t dim = 0; dim < extents_.size(); ++dim) elements *= extents_[dim][state.cut[dim]];
    bytes_.push_back(elements * static_cast<double>(size_bytes(element_type_.of(state))));
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

double ArrayStates::scratch(const Transition& transition, int from, int to) const {
  if (transition.kind != MoveKind::kReduceScatter && transition.kind != MoveKind::kAllReduce) return 0;
  std::array<double, kMaxDims> shape{};
  for (std::size_t dim = 0; dim < extents_.size(); ++dim) shape[dim] = extents_[dim][sharding(to).cut[dim]];
  return scratch_bytes(transition.kind, static_cast<double>(axes_.size(transition.travelled)),
                       element_type_.of(sharding(from)), element_type_.of(sharding(to)),
                       std::span(shape).first(extents_.size()));
}

Edge ArrayStates::edge(const Transition& transition, int from, int to, int other) const {
  const auto& [kind, travelled, gained] = transition;
  const double payload = payload_bytes(kind, bytes(from), bytes(to));
  const double new_bytes_last = bytes(to) + scratch(transition, from, to);
  return {other, cost_.seconds(kind, travelled, payload), cost_.sent_bytes(kind, travelled, payload),
          kind == MoveKind::kSlice ? 0 : new_bytes_last, new_bytes_last};
}

std::vector<Edge> ArrayStates::edges_from(int state) const {
  std::vector<Edge> edges;
  for (int to = 0; to < num_states(); ++to)
    if (const auto found = transition(sharding(state), sharding(to), array_.num_dims()))
      edges.push_back(edge(*found, state, to, to));
  return edges;
}

std::vector<Edge> ArrayStates::edges_into(int state) const {
  std::vector<Edge> edges;
  for (int from = 0; from < num_states(); ++from)
    if (const auto found = transition(sharding(from), sharding(state), array_.num_dims()))
      edges.push_back(edge(*found, from, state, from));
  return edges;
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
  move.axes = axes_.unpack(static_cast<AxisSet>(found->travelled | found->gained));
  move.cost = cost_.move(found->kind, found->travelled, payload_bytes(found->kind, bytes(from), bytes(to)));
  return move;
}

void ArrayStates::append_moves(std::vector<Step>& steps, Operand operand, const std::vector<int>& states) const {
  for (std::size_t i = 1; i < states.size(); ++i) steps.emplace_back(move(operand, states[i - 1], states[i]));
}

}  // namespace meshmul
