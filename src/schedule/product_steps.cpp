// Which moves of a plan stand next to its product.

#include <algorithm>

#include "meshmul/lower.hpp"

namespace meshmul {
namespace {

// True for what every rank can get piece by piece from others, each piece complete.
bool moves_pieces(MoveKind kind) {
  switch (kind) {
    case MoveKind::kAllGather:
    case MoveKind::kAllToAll:
    case MoveKind::kPermute:
    case MoveKind::kRedistribute: return true;
    case MoveKind::kSlice:
    case MoveKind::kReduceScatter:
    case MoveKind::kAllReduce:
    case MoveKind::kUnreduce: return false;
  }
  return false;
}

}  // namespace

ProductSteps product_steps(const std::vector<Step>& steps) {
  ProductSteps found;
  const auto product = std::find_if(steps.begin(), steps.end(),
                                    [](const Step& step) { return std::holds_alternative<LocalProduct>(step); });
  if (product == steps.end()) return found;
  found.product = static_cast<std::size_t>(product - steps.begin());
  for (std::size_t i = 0; i < *found.product; ++i) {
    const auto& move = std::get<Move>(steps[i]);
    (move.operand == Operand::kA ? found.a : found.b) = moves_pieces(move.kind) ? std::optional(i) : std::nullopt;
  }
  const std::size_t next = *found.product + 1;
  if (next == steps.size()) return found;
  const MoveKind kind = std::get<Move>(steps[next]).kind;
  if (kind == MoveKind::kReduceScatter || kind == MoveKind::kAllReduce) found.reduce = next;
  return found;
}

}  // namespace meshmul
