// `meshmul plan STATEMENT`: the cheapest legal way, its price step by step, and what was not taken. `meshmul plan FILE.mm`:
// the same for a program. With `--pareto`, what else there is if memory counts as well as time.

#include "meshmul/plan.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "meshmul/error.hpp"
#include "meshmul/wire_dtype.hpp"
#include "overwriting.hpp"
#include "plan_options.hpp"
#include "plan_program.hpp"
#include "plan_report.hpp"
#include "plan_way.hpp"
#include "program_file.hpp"
#include "progress.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul plan 'bf16 A[I=8192_X, J=8192] * B[J, K=8192_X] -> C[I, K_X]' --mesh X=4,Y=4 --hardware v5e\n"
    "  meshmul plan 'bf16 A[I=8192_X, J=8192_Y] * B[J_Y, K=8192] -> C[I_X, K]' --mesh X=4,Y=4 --hardware v5e:4x4 \\\n"
    "    --map X=1,Y=0\n"
    "  meshmul plan 'A[I=1024_X, J=4096] * B[J_X, K=1024] -> C[I_X, K]' --mesh X=4 --memory 12MB\n"
    "  meshmul plan 'bf16 A[I=1024_X, J=4096] -> A[I, J_X]' --mesh X=8 --json\n"
    "  meshmul plan 'ReduceScatter_X,I(C[I=64, K=32]{U_X})' --mesh X=4 --algorithm ring --dump schedule\n"
    "  meshmul plan 'bf16 A[I=16384_X, J=512] * B[J, K=4096] -> C[I, K_X]' --mesh X=4,Y=4 --hardware v5e --pareto\n"
    "  meshmul plan mlp.mm --mesh X=2,Y=2 --hardware v5e:2x2 --memory 300MB --html mlp.html";

/// One answer has one form.
void check_form(const PlanVerbOptions& options) {
  const bool dumps = !options.statement.dump.empty();
  if (options.markdown && (options.statement.json || dumps))
    throw Error(ErrorCode::kInvalidArgument, fmt::format("--markdown prints the plan as a document; leave out {}",
                                                         options.statement.json ? "--json" : "--dump"));
  if (options.pareto && dumps)
    throw Error(ErrorCode::kInvalidArgument,
                "--dump prints the stages of one plan, and --pareto lists many; leave out one of them");
  if (wants_pictures(options.pictures) && (options.pareto || dumps))
    throw Error(ErrorCode::kInvalidArgument, fmt::format("--html draws the plan that is chosen; leave out {}",
                                                         options.pareto ? "--pareto" : "--dump"));
}

Answer answer(const PlanVerbOptions& plan_options) {
  check_form(plan_options);
  const StatementOptions& options = plan_options.statement;
  refuse_same_files(plan_options.pictures, read_files(options));
  if (is_program_file(options.statement)) return plan_program(plan_options);
  const Mesh mesh = read_mesh(options);
  const Statement statement = parse_statement(options.statement, mesh);
  check_sizes(statement);
  if (const auto stage = read_dump(options)) return {dump(*stage, statement, mesh, options)};
  const Hardware hardware = find_hardware(options.hardware);
  const CompileOptions compile = read_compile_options(options, mesh, hardware);
  const PlanOptions& settings = compile.plan;
  check_wire_dtype(statement, settings.wire_dtype);
  Progress progress(STDERR_FILENO);
  progress.begin("planning");
  if (plan_options.pareto) return {report(pareto_front(statement, mesh, hardware, settings), plan_options)};
  const Plan chosen = plan(statement, mesh, hardware, settings);
  const auto way = way_to_build(chosen, hardware, read_backend(options).capabilities(), compile);
  if (wants_pictures(plan_options.pictures)) write_pictures(plan_options.pictures, {.plan = &chosen});
  return {report(chosen, way, plan_options)};
}

}  // namespace

Verb add_plan(CLI::App& app) {
  const auto options = std::make_shared<PlanVerbOptions>();
  CLI::App* verb =
      app.add_subcommand("plan", "Find the cheapest legal way to do a statement or program, and explain it");
  add_statement(*verb, options->statement,
                "A product, a change of sharding, a collective, or a program FILE.mm; every index needs a size");
  add_compilation(*verb, options->statement);
  verb->add_flag("--markdown", options->markdown, "Print the plan as a document in Markdown");
  verb->add_flag("--pareto", options->pareto, "List all plans that no other beats in both time and memory");
  add_page(*verb, options->pictures);
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
