#include "plan_program.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "meshmul/error.hpp"
#include "plan_report.hpp"
#include "progress.hpp"
#include "read_text.hpp"

namespace meshmul::cli {
namespace {

/// Far more than a program has lines for.
constexpr std::size_t kLargestProgram = 10'000'000;

}  // namespace

bool is_program_file(std::string_view argument) { return argument.ends_with(".mm"); }

void refuse_program_file(std::string_view argument, std::string_view verb) {
  if (is_program_file(argument))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{0} is a program, which meshmul can only plan: meshmul plan {0}; {1} takes a statement",
                            argument, verb));
}

Answer plan_program(const PlanVerbOptions& plan_options) {
  const StatementOptions& options = plan_options.statement;
  if (!options.dump.empty())
    throw Error(ErrorCode::kInvalidArgument,
                "--dump prints the stages of one statement; a program has its plan alone, so leave out --dump");
  const Mesh mesh = options.mesh.empty() ? Mesh{} : parse_mesh(options.mesh);
  const Hardware hardware = find_hardware(options.hardware);
  const PlanOptions settings = read_compile_options(options, mesh, hardware).plan;
  const std::string text = read_text(options.statement, kLargestProgram);
  try {
    const Program program = parse_program(text, mesh);
    Progress progress(STDERR_FILENO);
    progress.begin("planning; shardings that are written down make it faster");
    if (plan_options.pareto) return {report(pareto_front(program, mesh, hardware, settings), plan_options)};
    const ProgramPlan chosen = plan(program, mesh, hardware, settings);
    if (wants_pictures(plan_options.pictures)) write_pictures(plan_options.pictures, {.program_plan = &chosen});
    return {report(chosen, plan_options)};
  } catch (const Error& error) {
    if (error.place() && error.place()->text == text) throw in_file(error, options.statement);
    throw;
  }
}

}  // namespace meshmul::cli
