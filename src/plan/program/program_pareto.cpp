// All plans of a program between the fastest and the smallest.
#include <utility>

#include "meshmul/pareto.hpp"
#include "plan/program/program_planner.hpp"
#include "plan/unbeaten.hpp"

namespace meshmul {

std::vector<ProgramPlan> pareto_front(const Program& program, const Mesh& mesh, const Hardware& hardware,
                                      const PlanOptions& options) {
  check_sizes(program);
  const std::vector<Machine> all = machines(mesh, hardware, options);
  const AxisNumbering axes(mesh);
  const std::vector<ProgramVariant> variants = variants_of(program, axes, options);
  std::vector<ProgramPlan> plans;
  for (const ProgramVariant& variant : variants)
    for (const Machine& machine : all) {
      const ProgramPlanner planner(variant, axes, machine, options);
      for (PlannedProgram& planned : planner.front()) plans.push_back(planner.plan_with(std::move(planned)));
    }
  // Memory does not depend on the machine: what fits on none of them takes the same on all.
  if (plans.empty()) {
    std::optional<PlannedProgram> smallest;
    for (const ProgramVariant& variant : variants) {
      PlannedProgram found = *ProgramPlanner(variant, axes, all.front(), options).best({});
      if (!smallest || found.peak_bytes < smallest->peak_bytes) smallest = std::move(found);
    }
    throw no_program_fits(hardware, options, *smallest, mesh);
  }
  return unbeaten(
      std::move(plans), [&](const ProgramPlan& plan) { return seconds(plan.best, options.overlapped); },
      [](const ProgramPlan& plan) { return plan.best.peak_bytes; });
}

}  // namespace meshmul
