#include "plan/program/strategy.hpp"

#include <algorithm>

#include "plan/program/tasks.hpp"

namespace meshmul {
namespace {

std::vector<const ProgramStatement*> statements_of(const Program& program) {
  std::vector<const ProgramStatement*> statements;
  for (const ProgramItem& item : program.items) {
    if (const auto* statement = std::get_if<ProgramStatement>(&item)) statements.push_back(statement);
    if (const auto* repeat = std::get_if<Repeat>(&item))
      for (const ProgramStatement& statement : repeat->body) statements.push_back(&statement);
  }
  return statements;
}

/// The mesh axes longer than 1 that cut it, sorted.
std::vector<int> cutting_axes(const ArrayType& type, const Mesh& mesh) {
  std::vector<int> cutting;
  for (const std::vector<int>& axes : type.sharding.dims)
    for (const int axis : axes)
      if (mesh.size(axis) > 1) cutting.push_back(axis);
  std::sort(cutting.begin(), cutting.end());
  return cutting;
}

/// What a plan does with its arrays: things that are true of some.
struct Treatment {
  bool weight_whole_at_rest = false;
  bool weight_moves = false, weight_stays = false;
  bool weight_whole_at_work = false, weight_cut_at_work = false;
  bool weight_not_just_gathered = false;
  bool other_cut = false;  ///< at rest or on the way
};

/// A weight, and how a product takes it.
void look_at_weight(const ArrayType& at_rest, const ArrayType& at_work, bool moves, const Mesh& mesh, Treatment& seen) {
  const std::vector<int> rest = cutting_axes(at_rest, mesh);
  const std::vector<int> work = cutting_axes(at_work, mesh);
  (work.empty() ? seen.weight_whole_at_work : seen.weight_cut_at_work) = true;
  (moves ? seen.weight_moves : seen.weight_stays) = true;
  if (rest == work || !std::includes(rest.begin(), rest.end(), work.begin(), work.end()))
    seen.weight_not_just_gathered = true;
}

void look_at(const PlannedPart& part, const PlannedProgram& planned, const std::vector<bool>& weights, const Mesh& mesh,
             Treatment& seen) {
  const std::vector<Use> sources = sources_of(part, planned.program);
  const auto is_weight = [&](std::size_t i) {
    return i < sources.size() && weights[static_cast<std::size_t>(sources[i].value)];
  };
  std::vector<bool> moves(sources.size(), false);
  for (const ProgramStep& step : part.steps) {
    if (const auto* move = std::get_if<Move>(&step)) {
      const auto i = static_cast<std::size_t>(move->operand);
      if (i < moves.size()) moves[i] = true;
      if (!is_weight(i)) seen.other_cut |= !cutting_axes(move->from, mesh).empty();
    } else if (const auto* product = std::get_if<LocalProduct>(&step)) {
      const ArrayType* at_work[] = {&product->a, &product->b};
      for (std::size_t i = 0; i < 2; ++i)
        if (is_weight(i))
          look_at_weight(type_of(planned.program, sources[i]), *at_work[i], moves[i], mesh, seen);
        else
          seen.other_cut |= !cutting_axes(*at_work[i], mesh).empty();
      seen.other_cut |= !cutting_axes(product->c, mesh).empty();
    }
  }
}

}  // namespace

std::string_view name(Strategy strategy) {
  switch (strategy) {
    case Strategy::kReplicated: return "replicated";
    case Strategy::kDataParallel: return "data parallel";
    case Strategy::kTensorParallel: return "tensor parallel";
    case Strategy::kFsdp: return "FSDP";
    case Strategy::kFsdpAndTensorParallel: return "FSDP + tensor parallel";
    case Strategy::kMixed: return "mixed";
  }
  __builtin_unreachable();
}

std::vector<bool> weights_of(const Program& program) {
  const auto at = [](ValueId value) { return static_cast<std::size_t>(value); };
  const auto is_given = [&](const Use& use) {
    const Value& value = program.value(use.value);
    return value.kind == ValueKind::kGiven && !value.is_cotangent;
  };
  std::vector<bool> weights(program.values.size(), false);
  std::vector<bool> data(program.values.size(), false);
  for (const ProgramStatement* statement : statements_of(program)) {
    const auto* product = std::get_if<ProductStatement>(statement);
    if (product == nullptr) continue;
    for (const Use& use : {product->a, product->b})
      if (is_given(use)) weights[at(use.value)] = true;
    if (is_given(product->a) && is_given(product->b) && !product->a.sliced) data[at(product->a.value)] = true;
  }
  for (std::size_t value = 0; value < weights.size(); ++value) weights[value] = weights[value] && !data[value];
  return weights;
}

bool StrategyRules::allows_at_rest(bool is_weight, const PackedSharding& sharding) const {
  if (!strategy_) return true;
  switch (*strategy_) {
    case Strategy::kReplicated: return sharding.cut == 0;
    case Strategy::kDataParallel: return !is_weight || sharding.cut == 0;
    case Strategy::kTensorParallel: return !is_weight || sharding.cut != 0;
    case Strategy::kFsdp:
    case Strategy::kFsdpAndTensorParallel: return !is_weight || sharding.cut == all_axes_;
    case Strategy::kMixed: break;
  }
  __builtin_unreachable();
}

bool StrategyRules::allows_at_work(bool is_weight, const PackedSharding& at_rest, const PackedSharding& at_work,
                                   const Path& path) const {
  if (!strategy_) return true;
  switch (*strategy_) {
    case Strategy::kReplicated: return at_work.cut == 0;
    case Strategy::kDataParallel:
    case Strategy::kFsdp: return !is_weight || at_work.cut == 0;
    case Strategy::kTensorParallel: return !is_weight || path.num_moves == 0;
    case Strategy::kFsdpAndTensorParallel:
      return !is_weight || (at_work.cut != 0 && at_work.cut != at_rest.cut && (at_work.cut & ~at_rest.cut) == 0);
    case Strategy::kMixed: break;
  }
  __builtin_unreachable();
}

std::optional<Strategy> strategy_of(const PlannedProgram& planned, const Mesh& mesh) {
  const Program& program = planned.program;
  const std::vector<bool> weights = weights_of(program);
  if (std::find(weights.begin(), weights.end(), true) == weights.end()) return std::nullopt;
  Treatment seen;
  for (std::size_t value = 0; value < weights.size(); ++value) {
    const bool cut = !cutting_axes(program.values[value].type, mesh).empty();
    if (weights[value])
      seen.weight_whole_at_rest |= !cut;
    else
      seen.other_cut |= cut;
  }
  for (const PlannedPart& part : planned.parts) look_at(part, planned, weights, mesh, seen);

  const bool all_whole_at_work = !seen.weight_cut_at_work;
  if (all_whole_at_work && !seen.weight_moves) return seen.other_cut ? Strategy::kDataParallel : Strategy::kReplicated;
  if (seen.weight_whole_at_rest) return Strategy::kMixed;
  if (!seen.weight_moves) return Strategy::kTensorParallel;
  if (seen.weight_stays || seen.weight_not_just_gathered) return Strategy::kMixed;
  if (all_whole_at_work) return Strategy::kFsdp;
  return seen.weight_whole_at_work ? Strategy::kMixed : Strategy::kFsdpAndTensorParallel;
}

}  // namespace meshmul
