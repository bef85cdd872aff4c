#include "plan/program/program_planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plan/program/explain_strategies.hpp"
#include "plan/program/write_out.hpp"
#include "plan/unbeaten.hpp"

namespace meshmul {
namespace {

constexpr Strategy kStrategies[] = {Strategy::kTensorParallel, Strategy::kFsdp, Strategy::kFsdpAndTensorParallel,
                                    Strategy::kDataParallel, Strategy::kReplicated};

std::optional<std::int64_t> limit_of(const Hardware& hardware, const PlanOptions& options) {
  return options.memory_bytes ? options.memory_bytes : hardware.chip.memory_bytes;
}

}  // namespace

std::vector<ProgramVariant> variants_of(const Program& program, const AxisNumbering& axes, const PlanOptions& options) {
  std::vector<ProgramVariant> variants;
  for (const Recompute recompute : {Recompute::kNothing, Recompute::kFunctions, Recompute::kProducts}) {
    DifferentiatedProgram written = differentiate(program, recompute);
    const auto is_same = [&](const ProgramVariant& other) { return other.written.program == written.program; };
    if (std::any_of(variants.begin(), variants.end(), is_same)) continue;
    Choices choices(written.program, axes, !options.wire_dtype);
    variants.push_back({std::move(written), std::move(choices)});
  }
  return variants;
}

ProgramPlanner::ProgramPlanner(const ProgramVariant& variant, const AxisNumbering& axes, const Machine& machine,
                               const PlanOptions& options)
    : activations_(variant.written.activations),
      machine_(machine),
      cost_(axes, machine),
      setting_{variant.written.program, variant.choices, axes, cost_, machine, options.wire_dtype},
      prepared_(setting_),
      is_weight_(weights_of(variant.written.program)),
      memory_limit_(limit_of(machine.hardware, options)),
      overlapped_(options.overlapped) {
  if (memory_limit_) memory_limit_bytes_ = static_cast<double>(*memory_limit_);
}

std::optional<PlannedProgram> ProgramPlanner::best(const StrategyRules& rules) const {
  SearchTerms terms{Aim::kFastest, rules, is_weight_, overlapped_};
  std::vector<Assignment> found = search_program(prepared_, terms);
  if (found.empty()) return std::nullopt;
  if (found.front().peak_bytes > memory_limit_bytes_) {
    terms.aim = Aim::kFastestThatFits;
    found = search_program(prepared_, terms, memory_limit_bytes_);
    if (found.empty()) {
      const SearchTerms smallest{Aim::kSmallest, rules, is_weight_, overlapped_};
      found = search_program(prepared_, terms, search_program(prepared_, smallest).front().peak_bytes);
    }
  }
  return written(found.front(), terms);
}

PlannedProgram ProgramPlanner::written(const Assignment& assignment, const SearchTerms& terms) const {
  PlannedProgram planned = written_out(prepared_, assignment, terms);
  planned.activations = activations_;
  return planned;
}

bool ProgramPlanner::is_better(const PlannedProgram& planned, const PlannedProgram& other) const {
  const auto fits = [this](const PlannedProgram& p) { return !memory_limit_ || p.peak_bytes <= *memory_limit_; };
  if (fits(planned) != fits(other)) return fits(planned);
  if (!fits(planned)) return planned.peak_bytes < other.peak_bytes;
  return seconds(planned, overlapped_) < seconds(other, overlapped_);
}

std::vector<PlannedProgram> ProgramPlanner::others(const PlannedProgram& winner) const {
  std::vector<PlannedProgram> found;
  if (!winner.strategy || setting_.axes.all() == 0) return found;
  for (const Strategy strategy : kStrategies) {
    if (strategy == *winner.strategy) continue;
    const std::optional<PlannedProgram> planned = best(StrategyRules(strategy, setting_.axes.all()));
    // A strategy whose best plan is that of a simpler one has nothing of its own to offer.
    if (planned && planned->strategy == strategy) found.push_back(*planned);
  }
  std::stable_sort(found.begin(), found.end(), [&](const PlannedProgram& a, const PlannedProgram& b) {
    return seconds(a, overlapped_) < seconds(b, overlapped_);
  });
  return found;
}

std::vector<PlannedProgram> ProgramPlanner::front() const {
  const SearchTerms terms{Aim::kFront, {}, is_weight_, overlapped_};
  // The search also keeps what takes less in the end, which nothing follows.
  const std::vector<Assignment> found = unbeaten(
      search_program(prepared_, terms, memory_limit_bytes_), [](const Assignment& a) { return a.time.seconds; },
      [](const Assignment& a) { return a.peak_bytes; });
  std::vector<PlannedProgram> front;
  for (const Assignment& assignment : found) front.push_back(written(assignment, terms));
  return front;
}

ProgramPlan ProgramPlanner::plan_with(PlannedProgram best) const {
  ProgramPlan plan;
  plan.mesh = setting_.axes.mesh();
  plan.hardware = machine_.hardware.name;
  plan.cost = machine_.cost;
  plan.slice = machine_.placement.slice;
  plan.mapping = machine_.placement.mapping;
  plan.best = std::move(best);
  plan.memory_limit = memory_limit_;
  plan.on_chip_bytes = machine_.hardware.chip.on_chip_bytes;
  return plan;
}

double seconds(const PlannedProgram& planned, bool overlapped) {
  return overlapped ? planned.seconds_overlapped : planned.seconds_sequential;
}

Error no_program_fits(const Hardware& hardware, const PlanOptions& options, const PlannedProgram& smallest,
                      const Mesh& mesh) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("no plan fits into {} bytes a device{}; the least that one takes is {}, with {}",
                      *limit_of(hardware, options),
                      options.memory_bytes ? "" : fmt::format(", the memory of {}", hardware.name), smallest.peak_bytes,
                      shardings_in_short(smallest.program, mesh))};
}

}  // namespace meshmul
