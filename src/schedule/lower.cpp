// From a plan to a schedule: places its inputs, then writes its steps.

#include "meshmul/lower.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "builder.hpp"
#include "copied_inputs.hpp"
#include "meshmul/collectives.hpp"
#include "overlap/overlapped_product.hpp"
#include "placed_array.hpp"
#include "product_steps.hpp"
#include "statement_steps.hpp"

namespace meshmul {
namespace {

// The memory of the output is called after it, but where an input has its name.
std::string output_name(const Statement& statement) {
  const ArrayType& type = output(statement);
  std::string name = name_of(type, Operand::kC);
  for (const ArrayType* input : inputs(statement))
    if (input->name == type.name) name += ".out";
  return name;
}

// What each rank holds of `array` is copied to memory of its own, which is what the steps read.
PlacedArray copied(ScheduleBuilder& builder, const PlacedArray& given, const std::string& name) {
  const PlacedArray copy = place(builder, name, given.type);
  for (int rank = 0; rank < builder.num_ranks(); ++rank) builder.copy(copy.region(rank), given.region(rank));
  return copy;
}

enum class Inputs { kInPlace, kCopied };

Schedule lowered(const Plan& plan, const LowerOptions& options, Inputs inputs_are) {
  check_overlap(options.overlap);
  ScheduleBuilder builder(plan.mesh);
  Contract contract{plan.mesh, {plan.statement}, {}, {}, false};
  const ArrayType& output_type = output(plan.statement);
  StatementSteps steps{program_steps(plan.steps), {}, output_name(plan.statement), output_type.dtype, std::nullopt};
  const std::vector<const ArrayType*> types = inputs(plan.statement);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string name = name_of(*types[i], static_cast<Operand>(i));
    const PlacedArray given = place(builder, inputs_are == Inputs::kCopied ? name + ".given" : name, *types[i]);
    const auto holdings = holdings_of(given, types[i]->name);
    contract.inputs.insert(contract.inputs.end(), holdings.begin(), holdings.end());
    steps.sources.push_back(inputs_are == Inputs::kCopied ? copied(builder, given, name) : given);
  }
  contract.outputs = holdings_of(write_steps(builder, std::move(steps), options), output_type.name);
  return builder.finish(std::move(contract));
}

}  // namespace

Schedule lower(const Plan& plan, const LowerOptions& options) { return lowered(plan, options, Inputs::kInPlace); }

Schedule lower_with_copied_inputs(const Plan& plan, const LowerOptions& options) {
  return lowered(plan, options, Inputs::kCopied);
}

std::span<const MoveKind> move_kinds() {
  static constexpr auto kAll = [] {
    std::array<MoveKind, static_cast<std::size_t>(MoveKind::kUnreduce) + 1> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<MoveKind>(i);
    return all;
  }();
  return kAll;
}

Schedule build_move(const Move& move, const Mesh& mesh, const LowerOptions& options) {
  Plan plan;
  plan.mesh = mesh;
  plan.statement = Reshard{move.from, move.to};
  check_sizes(plan.statement);
  plan.steps = {move};
  std::get<Move>(plan.steps.front()).operand = Operand::kA;
  return lower(plan, options);
}

}  // namespace meshmul
