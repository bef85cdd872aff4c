#include "plan/report/program_facts.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/amounts.hpp"
#include "plan/program/tasks.hpp"
#include "plan/report/plan_facts.hpp"

namespace meshmul {
namespace {

const std::string& result_name(const PlannedPart& part, const Program& program) {
  return program.value(result_of(part, program)).type.name;
}

Work work_of(const PlannedProgram& planned) {
  Work work;
  for (const PlannedPart& part : planned.parts) {
    const auto times = static_cast<double>(part.times);
    for (const ProgramStep& step : part.steps)
      if (const auto* move = std::get_if<Move>(&step))
        work.add_move(move->cost, times);
      else if (const auto* product = std::get_if<LocalProduct>(&step))
        work.add_product(product->cost, times);
      else
        work.add_function(std::get<LocalMap>(step).cost, times);
  }
  return work;
}

std::optional<std::string> most_on_chip(const PlannedProgram& planned) {
  const PlannedPart* most = nullptr;
  for (const PlannedPart& part : planned.parts)
    if (part.on_chip && (most == nullptr || part.on_chip->bytes() > most->on_chip->bytes())) most = &part;
  if (most == nullptr) return std::nullopt;
  return fmt::format("on the chip, most for {}: {}", result_name(*most, planned.program),
                     on_chip_sentence(*most->on_chip));
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::optional<std::string> activation_sentence(const PlannedProgram& planned) {
  if (planned.activations.empty()) return std::nullopt;
  std::vector<std::string> kept, recomputed;
  for (const Activation& activation : planned.activations)
    (activation.is_recomputed ? recomputed : kept).push_back(activation.name);
  std::vector<std::string> clauses;
  if (!kept.empty()) clauses.push_back("keep " + joined(kept));
  if (!recomputed.empty()) clauses.push_back("compute " + joined(recomputed) + " again");
  return "the gradients " + joined(clauses);
}

}  // namespace

std::vector<std::string> total_sentences(const ProgramPlan& plan) {
  const PlannedProgram& best = plan.best;
  std::string totals = time_sentence(best.seconds_sequential, best.seconds_overlapped, best.peak_bytes);
  if (best.strategy) totals = fmt::format("{}: {}", name(*best.strategy), totals);
  if (plan.memory_limit)
    totals += fmt::format(", the limit is {}", format_amount(static_cast<double>(*plan.memory_limit), "B"));
  std::vector<std::string> sentences{totals, bound_sentence(work_of(best))};
  if (auto sentence = activation_sentence(best)) sentences.push_back(std::move(*sentence));
  if (auto sentence = most_on_chip(best)) sentences.push_back(std::move(*sentence));
  return sentences;
}

std::vector<std::string> case_sentences(const PlannedProgram& planned) {
  std::vector<std::string> sentences;
  for (const PlannedPart& part : planned.parts)
    for (const std::string& sentence : part.cases)
      sentences.push_back(fmt::format("{}, {}", result_name(part, planned.program), sentence));
  return sentences;
}

}  // namespace meshmul
