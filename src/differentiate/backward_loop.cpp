// The backward pass of a loop: a loop that runs from the last pass to the first. It hands on the gradients with respect to
// what passes carry, adds up those with respect to arrays that all passes read, and stacks those with respect to slices.

#include <algorithm>
#include <utility>

#include "differentiate/backward_pass.hpp"

namespace meshmul {
namespace {

std::optional<Use> find(const std::map<ValueId, Use>& gradients, ValueId of) {
  const auto found = gradients.find(of);
  return found == gradients.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

void BackwardPass::go_back(const Repeat& loop) {
  const std::vector<ValueId> outside = outside_arrays(loop);
  std::vector<const Carry*> carried;
  for (const Carry& carry : loop.carries)
    if (active_[static_cast<std::size_t>(carry.end)]) carried.push_back(&carry);
  if (carried.empty()) return;

  // 1. A pass begins with the gradients of what the pass of the forward loop ends with, and with sums so far.
  Scope pass;
  pass.where = Where::kLoop;
  Repeat backward{loop.index, loop.variable, loop.count, {}, {}, {}, !loop.reversed};
  for (const Carry* carry : carried) {
    backward.carries.push_back(begin_carry(source_.value(carry->end).type, find(program_.gradients, carry->after)));
    pass.gradients[carry->end] = {backward.carries.back().begin, false};
  }
  for (const ValueId array : outside) {
    backward.carries.push_back(begin_carry(source_.value(array).type, find(program_.gradients, array)));
    pass.gradients[array] = {backward.carries.back().begin, false};
  }
  for (const auto& [array, stack] : stacks_) pass.slices[array] = {stack, true};

  // 2. The body from its end to its beginning.
  forward_.forget_loop();
  writer_.open_loop();
  for (auto statement = loop.body.rbegin(); statement != loop.body.rend(); ++statement) go_back(*statement, pass);

  // 3. What a pass leaves is what the pass before it, of the forward loop, ends with.
  for (std::size_t i = 0; i < backward.carries.size(); ++i) {
    const bool is_sum = i >= carried.size();
    const ValueId of = is_sum ? outside[i - carried.size()] : carried[i]->begin;
    end_carry(backward.carries[i], own_value(find(pass.gradients, of), source_.value(of).type, pass));
  }
  stack_slices(backward, pass);

  // 4. After the loop.
  const std::vector<Carry> carries = backward.carries;
  writer_.close_loop(std::move(backward));
  for (std::size_t i = 0; i < carries.size(); ++i) {
    if (i >= carried.size())
      program_.gradients[outside[i - carried.size()]] = {carries[i].after, false};
    else
      contribute({carried[i]->before, false}, {carries[i].after, false}, program_);
  }
}

/// Arrays from outside of the loop that gradients of its passes flow to, each once.
std::vector<ValueId> BackwardPass::outside_arrays(const Repeat& loop) const {
  std::vector<ValueId> inside;
  for (const Carry& carry : loop.carries) inside.push_back(carry.begin);
  std::vector<ValueId> outside;
  const auto is_in = [](const std::vector<ValueId>& values, ValueId value) {
    return std::find(values.begin(), values.end(), value) != values.end();
  };
  for (const ProgramStatement& statement : loop.body) {
    const ValueId result = results(statement).front();
    for (const Use& use : uses(statement))
      if (!use.sliced && is_active(use) && active_[static_cast<std::size_t>(result)] && !is_in(inside, use.value) &&
          !is_in(outside, use.value))
        outside.push_back(use.value);
    inside.push_back(result);
  }
  return outside;
}

/// The first pass begins with what is `known`, or with zeros.
Carry BackwardPass::begin_carry(const ArrayType& type, std::optional<Use> known) {
  if (!known) known = make_map(MapFunction::kZero, {}, type, gradient_name(type), program_);
  Carry carry;
  carry.before = known->value;
  carry.begin = writer_.add_open(type, gradient_name(type), ValueKind::kCarried, true);
  return carry;
}

/// A gradient as a value that a statement of this pass makes, and that is nothing else: a copy, if it is not so already.
ValueId BackwardPass::own_value(const std::optional<Use>& gradient, const ArrayType& type, Scope& pass) {
  Use own = gradient ? *gradient : make_map(MapFunction::kZero, {}, type, gradient_name(type), pass);
  if (!writer_.is_made_in_loop(own.value) || taken_.contains(own.value))
    own = make_map(MapFunction::kConvert, {own}, type, gradient_name(type), pass);
  taken_.insert(own.value);
  return own.value;
}

/// It lies at the end of a pass as at its beginning.
void BackwardPass::end_carry(Carry& carry, ValueId end) {
  carry.end = end;
  writer_.value(end).like = carry.begin;
  carry.after = writer_.add_open(writer_.value(end).type, writer_.value(end).type.name, ValueKind::kCarried, true);
  writer_.value(carry.after).like = end;
}

void BackwardPass::stack_slices(Repeat& backward, Scope& pass) {
  for (const auto& [array, gradient] : pass.slices) {
    const bool has_changed = !gradient.sliced;
    if (!has_changed) continue;
    const ArrayType& type = source_.value(array).type;
    const ValueId slice = own_value(gradient, source_type({array, true}), pass);
    const ValueId whole = writer_.add_open(type, gradient_name(type), ValueKind::kStacked, true);
    writer_.value(whole).like = slice;
    backward.stacks.push_back({slice, whole});
    stacks_[array] = whole;
  }
}

}  // namespace meshmul
