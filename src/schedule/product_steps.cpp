#include "product_steps.hpp"

#include <algorithm>
#include <variant>

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

ProductSteps product_steps(const std::vector<ProgramStep>& steps) {
  ProductSteps found;
  const auto product = std::find_if(steps.begin(), steps.end(),
                                    [](const ProgramStep& step) { return std::holds_alternative<LocalProduct>(step); });
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

ProductSteps overlapped_steps(const std::vector<ProgramStep>& steps, const OverlapOptions& options) {
  if (!options.any()) return {};
  ProductSteps found = product_steps(steps);
  if (options.gather == Design::kSequential) found.a = found.b = std::nullopt;
  // What is pushed is there for a short time only, so that no block of the product can be finished before the others.
  const bool is_pushed = options.gather == Design::kPush && (found.a || found.b);
  if (options.reduce == Design::kSequential || is_pushed) found.reduce = std::nullopt;
  return found;
}

std::vector<ProgramStep> program_steps(const std::vector<Step>& steps) {
  std::vector<ProgramStep> all;
  for (const Step& step : steps) std::visit([&all](const auto& alternative) { all.emplace_back(alternative); }, step);
  return all;
}

}  // namespace meshmul
