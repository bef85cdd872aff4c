#include "notation/dependence.hpp"

#include <cstddef>

namespace meshmul::notation {
namespace {

std::size_t at(ValueId id) { return static_cast<std::size_t>(id); }

/// Calls `visit` with every statement, those of loops included.
template <class Visit>
void for_each_statement(const Program& program, Visit visit) {
  for (const ProgramItem& item : program.items) {
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const ProgramStatement& statement : repeat->body) visit(statement);
    else
      visit(std::get<ProgramStatement>(item));
  }
}

template <class Visit>
void for_each_carry(const Program& program, Visit visit) {
  for (const ProgramItem& item : program.items)
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const Carry& carry : repeat->carries) visit(carry);
}

/// By value: what it is made from directly.
std::vector<std::vector<ValueId>> direct_sources(const Program& program) {
  std::vector<std::vector<ValueId>> sources(program.values.size());
  for_each_statement(program, [&](const ProgramStatement& statement) {
    for (const ValueId result : results(statement)) {
      for (const Use& use : uses(statement)) sources[at(result)].push_back(use.value);
      if (const auto* grad = std::get_if<GradStatement>(&statement)) sources[at(result)].push_back(grad->of);
    }
  });
  for_each_carry(program, [&](const Carry& carry) {
    sources[at(carry.begin)] = {carry.before, carry.end};
    sources[at(carry.after)] = {carry.end};
  });
  for (const ProgramItem& item : program.items)
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const Stack& stack : repeat->stacks) sources[at(stack.whole)] = {stack.slice};
  return sources;
}

}  // namespace

std::vector<bool> read_values(const Program& program) {
  std::vector<bool> read(program.values.size());
  for_each_statement(program, [&](const ProgramStatement& statement) {
    for (const Use& use : uses(statement)) read[at(use.value)] = true;
  });
  for_each_carry(program, [&](const Carry& carry) { read[at(carry.before)] = true; });
  return read;
}

std::vector<bool> origins(const Program& program, ValueId of) {
  const auto sources = direct_sources(program);
  std::vector<bool> found(program.values.size());
  std::vector<ValueId> pending{of};
  while (!pending.empty()) {
    const ValueId id = pending.back();
    pending.pop_back();
    if (found[at(id)]) continue;
    found[at(id)] = true;
    pending.insert(pending.end(), sources[at(id)].begin(), sources[at(id)].end());
  }
  return found;
}

}  // namespace meshmul::notation
