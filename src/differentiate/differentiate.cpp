// From a program with grad statements to one without: once to see what the backward pass reads, and once more with that kept.

#include "meshmul/differentiate.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "differentiate/backward_pass.hpp"
#include "differentiate/forward_pass.hpp"
#include "differentiate/program_writer.hpp"
#include "differentiate/recompute_policy.hpp"

namespace meshmul {
namespace {

const GradStatement* grad_in(const ProgramItem& item) {
  const auto* statement = std::get_if<ProgramStatement>(&item);
  return statement == nullptr ? nullptr : std::get_if<GradStatement>(statement);
}

struct Written {
  DifferentiatedProgram result;
  std::set<Saved> kept;
};

Written write(const Program& source, const RecomputePolicy& policy, const std::set<Saved>& to_keep) {
  ProgramWriter writer(source);
  ForwardPass forward(source, policy, to_keep, writer);
  for (std::size_t i = 0; i < source.items.size(); ++i) {
    const ProgramItem& item = source.items[i];
    if (const GradStatement* grad = grad_in(item))
      BackwardPass(source, *grad, i, forward, writer).write();
    else if (const auto* loop = std::get_if<Repeat>(&item))
      forward.copy(*loop);
    else
      forward.copy(std::get<ProgramStatement>(item));
  }
  std::vector<ValueId> returned;
  for (const ValueId output : outputs(source)) returned.push_back(forward.copy_value(output));
  writer.set_returned(std::move(returned));
  return {{writer.take(), forward.activations()}, forward.kept()};
}

}  // namespace

bool has_gradients(const Program& program) {
  return std::any_of(program.items.begin(), program.items.end(),
                     [](const ProgramItem& item) { return grad_in(item) != nullptr; });
}

DifferentiatedProgram differentiate(const Program& program, Recompute recompute) {
  if (!has_gradients(program)) return {program, {}};
  const RecomputePolicy policy(program, recompute);
  return write(program, policy, write(program, policy, {}).kept).result;
}

}  // namespace meshmul
