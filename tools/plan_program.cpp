#include "plan_program.hpp"

#include <unistd.h>

#include <string>

#include "plan_report.hpp"
#include "plan_way.hpp"
#include "program_file.hpp"
#include "progress.hpp"

namespace meshmul::cli {
Answer plan_program(const PlanVerbOptions& plan_options) {
  const StatementOptions& options = plan_options.statement;
  const Mesh mesh = options.mesh.empty() ? Mesh{} : parse_mesh(options.mesh);
  const Hardware hardware = find_hardware(options.hardware);
  const CompileOptions compile = read_compile_options(options, mesh, hardware);
  const PlanOptions& settings = compile.plan;
  const std::string text = read_program(options.statement);
  return placed_in_file(options.statement, text, [&]() -> Answer {
    const Program program = parse_program(text, mesh);
    if (const auto stage = read_dump(options)) return {dump(*stage, program, mesh, options)};
    Progress progress(STDERR_FILENO);
    progress.begin("planning; shardings that are written down make it faster");
    if (plan_options.pareto) return {report(pareto_front(program, mesh, hardware, settings), plan_options)};
    const ProgramPlan chosen = plan(program, mesh, hardware, settings);
    const auto way = way_to_build(chosen, hardware, read_backend(options).capabilities(), compile);
    if (wants_pictures(plan_options.pictures)) write_pictures(plan_options.pictures, {.program_plan = &chosen});
    return {report(chosen, way, plan_options)};
  });
}

}  // namespace meshmul::cli
