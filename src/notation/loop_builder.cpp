// Loops of a program: what a pass begins with, what it hands on, and what is left after the last.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "notation/program_builder.hpp"

namespace meshmul::notation {

void ProgramBuilder::operator()(const ParsedRepeat& parsed) {
  loop_ = &parsed;
  num_slices_.reset();
  Names::Table before = names_.known();
  Repeat repeat;
  repeat.index = parsed.index.text;
  repeat.variable = parsed.variable.text;
  repeat.carries = begin_pass(parsed);
  for (const ParsedAssignment& assignment : parsed.body) repeat.body.push_back(assign(assignment));
  if (!num_slices_)
    tokens_.fail(parsed.variable,
                 fmt::format("no line of this repeat uses {0}; an array W[{1}, …] gives W[{0}] to a pass",
                             repeat.variable, repeat.index));
  repeat.count = *num_slices_;
  for (Carry& carry : repeat.carries) carry.end = *names_.find(program_.value(carry.begin).type.name);
  names_.return_to(std::move(before));
  end_pass(repeat.carries);
  program_.items.emplace_back(std::move(repeat));
  loop_ = nullptr;
}

/// The names that are known before the loop and made in it stand for a new value at the beginning of a pass.
std::vector<Carry> ProgramBuilder::begin_pass(const ParsedRepeat& parsed) {
  std::vector<Carry> carries;
  for (const ParsedAssignment& assignment : parsed.body) {
    const Token& name = *assignment.target.name;
    const auto before = names_.find(name.text);
    if (!before) continue;
    const auto begins_as = [&](const Carry& carry) { return carry.begin == *before; };
    if (std::any_of(carries.begin(), carries.end(), begins_as)) continue;
    Value begin;
    begin.type = program_.value(*before).type;
    begin.type.sharding = Sharding::replicated(begin.type.num_dims());
    begin.type.open = true;
    begin.kind = ValueKind::kCarried;
    carries.push_back({*before, add(std::move(begin), name), 0, 0});
    names_.set(name, carries.back().begin);
  }
  return carries;
}

void ProgramBuilder::end_pass(std::vector<Carry>& carries) {
  for (Carry& carry : carries) {
    check_pass(carry);
    if (is_like(carry.end, carry.begin)) program_.value(carry.begin).like = carry.before;
    Value after;
    after.type = program_.value(carry.end).type;
    after.kind = ValueKind::kCarried;
    after.like = carry.end;
    carry.after = add(std::move(after), place(carry.end));
    names_.set(place(carry.end), carry.after);
  }
}

void ProgramBuilder::check_pass(const Carry& carry) const {
  const ArrayType& begin = program_.value(carry.begin).type;
  const ArrayType& end = program_.value(carry.end).type;
  if (end.dtype == begin.dtype && same_indices(end, begin)) return;
  tokens_.fail(place(carry.end),
               fmt::format("{} is {} {} at the beginning of a pass; found {} {} at its end", begin.name,
                           name(begin.dtype), indices_text(begin), name(end.dtype), indices_text(end)));
}

bool ProgramBuilder::is_like(ValueId value, ValueId other) const {
  for (std::optional<ValueId> at = value; at; at = program_.value(*at).like)
    if (*at == other) return true;
  return false;
}

}  // namespace meshmul::notation
