#include "plan/array_states.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
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
                         const AxisNumbering& axes, const CostModel& cost, std::vector<std::size_t> last_order)
    : array_(array),
      element_type_(element_type),
      axes_(axes),
      cost_(cost),
      order_(array.dims.size()),
      last_order_(std::move(last_order)),
      states_(all_shardings(array.num_dims(), axes.all(), may_be_unreduced)),
      numbers_(states_),
      extents_(extents(array, axes)),
      bytes_(all_bytes()),
      classes_(states_, bytes_, element_type.kept_unreduced, cost) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  if (last_order_.empty()) last_order_ = order_;
}

std::vector<Extents> ArrayStates::extents(const ArrayType& array, const AxisNumbering& axes) {
  std::vector<Extents> extents;
  for (const Dim& dim : array.dims) extents.emplace_back(dim.size, axes);
  return extents;
}

std::vector<double> ArrayStates::all_bytes() const {
  std::vector<double> bytes;
  for (const PackedSharding& state : states_) {
    double elements = 1;
    for (std::size_t dim = 0; dim < extents_.size(); ++dim) elements *= extents_[dim][state.dims[dim].set()];
    bytes.push_back(elements * static_cast<double>(size_bytes(element_type_.of(state))));
  }
  return bytes;
}

std::vector<int> ArrayStates::complete_states() const {
  std::vector<int> complete;
  for (int state = 0; state < num_states(); ++state)
    if (sharding(state).unreduced == 0) complete.push_back(state);
  return complete;
}

double ArrayStates::scratch_of_reduction(const Transition& found, int from, int to, const Order& order) const {
  std::array<double, kMaxDims> shape{};
  for (std::size_t place = 0; place < order.size(); ++place)
    shape[place] = extents_[order[place]][sharding(to).dims[order[place]].set()];
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
