// What the steps of a way cost, in full.
#include <algorithm>

#include "plan/dimension_order.hpp"
#include "plan/memory.hpp"
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

}  // namespace

PricedWay price_way(const Way& way, const Mesh& mesh, const Hardware& hardware) {
  for (const Statement& step : way.steps) check_sizes(step);
  check_fits(mesh, hardware);
  const AxisNumbering axes(mesh);
  const Machine machine = book_machine(mesh, hardware);
  const WayModel model(way, axes, machine);
  const std::vector<StepCost> costs = model.costs(model.sizes(), Blocks::kWhole, CostModel(axes, machine));

  PricedWay priced;
  for (std::size_t i = 0; i < way.steps.size(); ++i) {
    const bool is_product = std::holds_alternative<Product>(way.steps[i]);
    (is_product ? priced.product_seconds : priced.move_seconds) += costs[i].seconds;
    priced.steps.push_back(step_of(way.steps[i], costs[i], is_product ? nullptr : &model.move(i), axes));
  }
  priced.seconds_sequential = priced.move_seconds + priced.product_seconds;
  priced.seconds_overlapped = std::max(priced.move_seconds, priced.product_seconds);
  priced.peak_bytes = peak_bytes(inputs(way), priced.steps, mesh);
  return priced;
}

}  // namespace meshmul
