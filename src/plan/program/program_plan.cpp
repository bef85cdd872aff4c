// One function from a program to its plan: check, search, write out, and ask every strategy what it would take.
#include "meshmul/program_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "meshmul/error.hpp"
#include "notation/print.hpp"
#include "plan/memory.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/program/write_out.hpp"

namespace meshmul {
namespace {

constexpr Strategy kStrategies[] = {Strategy::kTensorParallel, Strategy::kFsdp, Strategy::kFsdpAndTensorParallel,
                                    Strategy::kDataParallel, Strategy::kReplicated};

class ProgramPlanner {
 public:
  ProgramPlanner(const ProgramSetting& setting, const PlanOptions& options, std::optional<std::int64_t> memory_limit)
      : prepared_(setting),
        is_weight_(weights_of(setting.program)),
        all_axes_(setting.axes.all()),
        overlapped_(options.overlapped) {
    if (memory_limit) memory_limit_ = static_cast<double>(*memory_limit);
  }

  /// The fastest plan by the rules that fits; if none does, the fastest of those that need the least. Nothing if the
  /// written shardings leave no plan.
  std::optional<PlannedProgram> best(const StrategyRules& rules) const {
    SearchTerms terms{Aim::kFastest, rules, is_weight_, overlapped_};
    std::vector<Assignment> found = search_program(prepared_, terms);
    if (found.empty()) return std::nullopt;
    if (found.front().peak_bytes > memory_limit_) {
      terms.aim = Aim::kSmallest;
      const double least_bytes = search_program(prepared_, terms).front().peak_bytes;
      terms.aim = Aim::kFront;
      found = search_program(prepared_, terms, std::max(memory_limit_, least_bytes));
    }
    return written_out(prepared_, found.front(), terms);
  }

  std::vector<PlannedProgram> others(const PlannedProgram& winner) const {
    std::vector<PlannedProgram> found;
    if (!winner.strategy || all_axes_ == 0) return found;
    for (const Strategy strategy : kStrategies) {
      if (strategy == *winner.strategy) continue;
      const std::optional<PlannedProgram> planned = best(StrategyRules(strategy, all_axes_));
      // A strategy whose best plan is that of a simpler one has nothing of its own to offer.
      if (planned && planned->strategy == strategy) found.push_back(*planned);
    }
    std::stable_sort(found.begin(), found.end(), [&](const PlannedProgram& a, const PlannedProgram& b) {
      return overlapped_ ? a.seconds_overlapped < b.seconds_overlapped : a.seconds_sequential < b.seconds_sequential;
    });
    return found;
  }

 private:
  PreparedProgram prepared_;
  std::vector<bool> is_weight_;
  AxisSet all_axes_;
  bool overlapped_;
  double memory_limit_ = std::numeric_limits<double>::infinity();
};

/// Everything that the search of a program on one machine is made from.
class ProgramOnMachine {
 public:
  ProgramOnMachine(const Program& program, const AxisNumbering& axes, const Choices& choices, const Machine& machine,
                   const PlanOptions& options, std::optional<std::int64_t> memory_limit)
      : cost_(axes, machine),
        setting_{program, choices, axes, cost_, machine, options.wire_dtype},
        planner_(setting_, options, memory_limit) {}

  const ProgramPlanner& planner() const { return planner_; }

 private:
  CostModel cost_;
  ProgramSetting setting_;
  ProgramPlanner planner_;
};

}  // namespace

ProgramPlan plan(const Program& program, const Mesh& mesh, const Hardware& hardware, const PlanOptions& options) {
  check_sizes(program);
  const std::vector<Machine> all = machines(mesh, hardware, options);
  ProgramPlan plan;
  plan.mesh = mesh;
  plan.hardware = hardware.name;
  plan.memory_limit = options.memory_bytes ? options.memory_bytes : hardware.chip.memory_bytes;
  plan.on_chip_bytes = hardware.chip.on_chip_bytes;

  const AxisNumbering axes(mesh);
  const Choices choices(program, axes);
  const auto fits = [&](const PlannedProgram& planned) {
    return !plan.memory_limit || planned.peak_bytes <= *plan.memory_limit;
  };
  const auto seconds = [&](const PlannedProgram& planned) {
    return options.overlapped ? planned.seconds_overlapped : planned.seconds_sequential;
  };
  // Memory does not depend on the machine: what fits on one fits on all.
  std::unique_ptr<ProgramOnMachine> chosen;
  for (const Machine& machine : all) {
    auto candidate = std::make_unique<ProgramOnMachine>(program, axes, choices, machine, options, plan.memory_limit);
    PlannedProgram best = *candidate->planner().best({});
    if (chosen && seconds(best) >= seconds(plan.best)) continue;
    chosen = std::move(candidate);
    plan.best = std::move(best);
    plan.cost = machine.cost;
    plan.slice = machine.placement.slice;
    plan.mapping = machine.placement.mapping;
  }
  if (!fits(plan.best))
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("no plan fits into {} bytes a device{}; the least that one takes is {}, with {}",
                    *plan.memory_limit, options.memory_bytes ? "" : fmt::format(", the memory of {}", hardware.name),
                    plan.best.peak_bytes, shardings_in_short(plan.best.program, mesh)));
  for (PlannedProgram& other : chosen->planner().others(plan.best)) {
    RejectedProgram& loser = plan.rejected.emplace_back();
    loser.seconds = seconds(other);
    loser.fits = fits(other);
    loser.reason = explain_loss(plan.best, other, plan.memory_limit, options.overlapped, mesh);
    loser.way = std::move(other);
  }
  return plan;
}

}  // namespace meshmul
