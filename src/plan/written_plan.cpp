#include "plan/written_plan.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "plan/explain.hpp"
#include "plan/memory.hpp"
#include "plan/on_chip.hpp"
#include "plan/report/open_arrays.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {
namespace {

/// The sharding with which the first step that touches `operand` finds it.
const Sharding& first_sharding(const std::vector<Step>& steps, Operand operand) {
  for (const Step& step : steps) {
    if (const auto* move = std::get_if<Move>(&step); move != nullptr && move->operand == operand)
      return move->from.sharding;
    if (const auto* product = std::get_if<LocalProduct>(&step))
      return operand == Operand::kA ? product->a.sharding : product->b.sharding;
  }
  __builtin_unreachable();
}

const Sharding& last_sharding(const std::vector<Step>& steps) {
  if (const auto* product = std::get_if<LocalProduct>(&steps.back())) return product->c.sharding;
  return std::get<Move>(steps.back()).to.sharding;
}

void close(ArrayType& array, const Sharding& chosen) {
  if (!array.open) return;
  array.sharding = chosen;
  array.open = false;
}

/// Every `?` becomes what the steps made of it.
Statement closed(Statement statement, const std::vector<Step>& steps) {
  const std::vector<ArrayType*> arrays = inputs(statement);
  close(*arrays[0], first_sharding(steps, Operand::kA));
  if (arrays.size() > 1) close(*arrays[1], first_sharding(steps, Operand::kB));
  close(output(statement), last_sharding(steps));
  return statement;
}

double flops_of(const std::vector<Step>& steps) {
  double flops = 0;
  for (const Step& step : steps) flops += std::visit([](const auto& s) { return s.cost.flops; }, step);
  return flops;
}

}  // namespace

Plan written_plan(const Statement& statement, const Mesh& mesh, const Machine& machine, PricedSteps found) {
  Plan plan;
  plan.mesh = mesh;
  plan.hardware = machine.hardware.name;
  plan.cost = machine.cost;
  plan.slice = machine.placement.slice;
  plan.mapping = machine.placement.mapping;
  plan.steps = std::move(found.steps);
  plan.statement = closed(statement, plan.steps);
  plan.seconds_sequential = found.price.seconds_sequential();
  plan.seconds_overlapped = found.price.seconds_overlapped();
  plan.move_seconds = found.price.move_seconds;
  plan.product_seconds = found.price.product_seconds;
  plan.flops = flops_of(plan.steps);
  plan.on_chip = on_chip(plan.steps, mesh, machine.hardware);
  plan.peak_bytes = peak_bytes(inputs(std::as_const(plan.statement)), plan.steps, mesh);
  plan.cases = explain_axes(plan);
  return plan;
}

Error no_plan_fits(const Statement& statement, const Hardware& hardware, const PlanOptions& options,
                   const Plan& smallest) {
  const std::string arrays = open_arrays_in_short(smallest.statement, statement, smallest.mesh);
  return {
      ErrorCode::kInvalidArgument,
      fmt::format("no plan fits into {} bytes a device{}; the least that one takes is {}, {}by {}",
                  whole_bytes(search_options(hardware, options).memory_limit),
                  options.memory_bytes ? "" : fmt::format(", the memory of {}", hardware.name), smallest.peak_bytes,
                  arrays.empty() ? "" : fmt::format("with {}, ", arrays), step_labels(smallest.steps, smallest.mesh))};
}

}  // namespace meshmul
