#include "sides.hpp"

#include <algorithm>
#include <variant>

#include "meshmul/layout.hpp"
#include "schedule/overlap/pieces.hpp"
#include "schedule/product_steps.hpp"

namespace meshmul {
namespace {

bool moves_bytes(const Move& move) { return move.kind != MoveKind::kSlice && move.kind != MoveKind::kUnreduce; }

void add(Sides& sides, const std::vector<ProgramStep>& steps, const ProductSteps& found, const Mesh& mesh) {
  for (const std::optional<std::size_t>& step : {found.a, found.b}) {
    if (!step) continue;
    const auto& move = std::get<Move>(steps[*step]);
    const auto dim = static_cast<std::size_t>(moving_dim(move.from, move.to));
    sides.gather = true;
    sides.gathered_rows = std::max(sides.gathered_rows, max_local_shape(move.from, mesh)[dim]);
  }
  if (!found.reduce) return;
  const Shape block = max_local_shape(std::get<Move>(steps[*found.reduce]).to, mesh);
  sides.reduce = true;
  sides.summed_rows = std::max(sides.summed_rows, block.empty() ? 1 : block.front());
}

}  // namespace

StatementsSteps steps_of(const Plan& plan) { return {program_steps(plan.steps)}; }

StatementsSteps steps_of(const ProgramPlan& plan) {
  StatementsSteps statements;
  for (const PlannedPart& part : plan.best.parts) statements.push_back(part.steps);
  return statements;
}

Sides sides_of(const StatementsSteps& statements, const Mesh& mesh) {
  Sides sides;
  for (const auto& steps : statements) add(sides, steps, product_steps(steps), mesh);
  return sides;
}

Sides overlapped_sides(const StatementsSteps& statements, const OverlapOptions& options, const Mesh& mesh) {
  Sides sides;
  for (const auto& steps : statements) add(sides, steps, overlapped_steps(steps, options), mesh);
  return sides;
}

std::vector<Move> moves_left(const StatementsSteps& statements, const OverlapOptions& options) {
  std::vector<Move> left;
  for (const auto& steps : statements) {
    const ProductSteps overlapped = overlapped_steps(steps, options);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto* move = std::get_if<Move>(&steps[i]);
      if (move == nullptr || !moves_bytes(*move)) continue;
      if (overlapped.a != i && overlapped.b != i && overlapped.reduce != i) left.push_back(*move);
    }
  }
  return left;
}

}  // namespace meshmul
