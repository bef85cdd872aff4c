// What the steps of a way cost, in full.
#include <utility>

#include "plan/dimension_order.hpp"
#include "plan/memory.hpp"
#include "plan/on_chip.hpp"
#include "plan/way/model.hpp"

namespace meshmul {
namespace {

Step step_of(const Statement& statement, const StepCost& cost, const Transition* transition,
             const AxisNumbering& axes) {
  if (const auto* product = std::get_if<Product>(&statement))
    return LocalProduct{product->a, product->b, product->c, cost};
  const ArrayType& from = *inputs(statement).front();
  const ArrayType& to = output(statement);
  Move move{transition->kind, Operand::kA, from, to, axes.unpack(transition->travelled | transition->gained), cost};
  if (move.kind == MoveKind::kRedistribute && have_equal_blocks(from, in_order_of(from, to), axes.mesh()))
    move.kind = MoveKind::kPermute;
  return move;
}

struct Costs {
  const Machine* machine = nullptr;
  std::vector<StepCost> steps;
  WayTimes times;
};

/// On the first of the machines on which the way takes the least time.
Costs cheapest(const WayModel& model, const AxisNumbering& axes, const std::vector<Machine>& machines,
               bool with_overlap) {
  Costs best;
  for (const Machine& machine : machines) {
    Costs costs{&machine, model.costs(model.sizes(), Blocks::kWhole, CostModel(axes, machine)), {}};
    costs.times = model.times(costs.steps);
    if (best.machine == nullptr || costs.times.seconds(with_overlap) < best.times.seconds(with_overlap))
      best = std::move(costs);
  }
  return best;
}

}  // namespace

PricedWay price_way(const Way& way, const Mesh& mesh, const Hardware& hardware, const PlanOptions& options) {
  for (const Statement& step : way.steps) check_sizes(step);
  const std::vector<Machine> all = machines(mesh, hardware, options);
  const AxisNumbering axes(mesh);
  const WayModel model(way, axes, all.front());
  const Costs chosen = cheapest(model, axes, all, options.overlapped);

  PricedWay priced;
  for (std::size_t i = 0; i < way.steps.size(); ++i) {
    const bool is_product = std::holds_alternative<Product>(way.steps[i]);
    priced.steps.push_back(step_of(way.steps[i], chosen.steps[i], is_product ? nullptr : &model.move(i), axes));
  }
  priced.move_seconds = chosen.times.moves;
  priced.product_seconds = chosen.times.products;
  priced.seconds_sequential = chosen.times.sequential();
  priced.seconds_overlapped = chosen.times.overlapped();
  priced.peak_bytes = peak_bytes(inputs(way), priced.steps, mesh);
  priced.on_chip = on_chip(priced.steps, mesh, hardware);
  priced.slice = chosen.machine->placement.slice;
  priced.mapping = chosen.machine->placement.mapping;
  return priced;
}

}  // namespace meshmul
