// One function from a program to its plan: check, search, write out, and ask every strategy what it would take.
#include "meshmul/program_plan.hpp"

#include <memory>
#include <utility>

#include "plan/program/explain_strategies.hpp"
#include "plan/program/program_planner.hpp"

namespace meshmul {

ProgramPlan plan(const Program& program, const Mesh& mesh, const Hardware& hardware, const PlanOptions& options) {
  check_sizes(program);
  const std::vector<Machine> all = machines(mesh, hardware, options);
  const AxisNumbering axes(mesh);
  const std::vector<ProgramVariant> variants = variants_of(program, axes, options);
  std::unique_ptr<ProgramPlanner> chosen;
  PlannedProgram best;
  for (const ProgramVariant& variant : variants)
    for (const Machine& machine : all) {
      auto candidate = std::make_unique<ProgramPlanner>(variant, axes, machine, options);
      PlannedProgram found = *candidate->best({});
      if (chosen && !candidate->is_better(found, best)) continue;
      chosen = std::move(candidate);
      best = std::move(found);
    }
  ProgramPlan plan = chosen->plan_with(std::move(best));
  const auto fits = [&](const PlannedProgram& planned) {
    return !plan.memory_limit || planned.peak_bytes <= *plan.memory_limit;
  };
  if (!fits(plan.best)) throw no_program_fits(hardware, options, plan.best, mesh);
  for (PlannedProgram& other : chosen->others(plan.best)) {
    RejectedProgram& loser = plan.rejected.emplace_back();
    loser.seconds = seconds(other, options.overlapped);
    loser.fits = fits(other);
    loser.reason = explain_loss(plan.best, other, plan.memory_limit, options.overlapped, mesh);
    loser.way = std::move(other);
  }
  return plan;
}

}  // namespace meshmul
