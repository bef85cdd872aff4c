// `meshmul plan STATEMENT`: the cheapest legal way, its price step by step, and what was not taken. `meshmul plan FILE.mm`:
// the same for a program.

#include "meshmul/plan.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "meshmul/error.hpp"
#include "plan_program.hpp"
#include "statement_options.hpp"
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
    "  meshmul plan mlp.mm --mesh X=2,Y=2 --hardware v5e:2x2 --memory 300MB";

struct PlanVerbOptions {
  StatementOptions statement;
  bool markdown = false;
};

std::string report(const Plan& plan, const PlanVerbOptions& options) {
  if (options.markdown) return plan_markdown(plan);
  return options.statement.json ? plan_json(plan) : to_string(plan);
}

/// One answer has one form, and programs have no document.
void check_form(const PlanVerbOptions& options) {
  if (!options.markdown) return;
  if (is_program_file(options.statement.statement))
    throw Error(ErrorCode::kInvalidArgument, "--markdown is for the plan of one statement; leave it out for a program");
  if (!options.statement.json && options.statement.dump.empty()) return;
  throw Error(ErrorCode::kInvalidArgument, fmt::format("--markdown prints the plan as a document; leave out {}",
                                                       options.statement.json ? "--json" : "--dump"));
}

Answer answer(const PlanVerbOptions& plan_options) {
  check_form(plan_options);
  const StatementOptions& options = plan_options.statement;
  if (is_program_file(options.statement)) return plan_program(options);
  const Mesh mesh = read_mesh(options);
  const Statement statement = parse_statement(options.statement, mesh);
  check_sizes(statement);
  if (const auto stage = read_dump(options)) return {dump(*stage, statement, mesh, options)};
  const Hardware hardware = find_hardware(options.hardware);
  const Plan chosen = plan(statement, mesh, hardware, read_compile_options(options, mesh, hardware).plan);
  return {report(chosen, plan_options)};
}

}  // namespace

Verb add_plan(CLI::App& app) {
  const auto options = std::make_shared<PlanVerbOptions>();
  CLI::App* verb =
      app.add_subcommand("plan", "Find the cheapest legal way to do a statement or program, and explain it");
  add_statement(*verb, options->statement,
                "A product, a change of sharding, a collective, or a program FILE.mm; every index needs a size");
  add_compilation(*verb, options->statement);
  verb->add_flag("--markdown", options->markdown, "Print the plan of a statement as a document in Markdown");
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
