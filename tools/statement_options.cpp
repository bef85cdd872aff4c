#include "statement_options.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "execute/registry.hpp"
#include "meshmul/error.hpp"
#include "meshmul/wire_dtype.hpp"
#include "program_file.hpp"

namespace meshmul::cli {
namespace {

template <class Names>
std::vector<std::string> names_of(const Names& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(name(item));
  return names;
}

constexpr Algorithm kAlgorithms[] = {Algorithm::kAutomatic, Algorithm::kDirect, Algorithm::kRing,
                                     Algorithm::kRingBothWays};

void check_wire(const Statement& statement, const PlanOptions& options) {
  check_wire_dtype(statement, options.wire_dtype);
}
void check_wire(const Program&, const PlanOptions&) {}  // its planner looks at each product

template <class StatementOrProgram>
std::string dump_planned(Stage stage, const StatementOrProgram& subject, const Mesh& mesh,
                         const StatementOptions& options) {
  const Hardware hardware = find_hardware(options.hardware);
  CompileOptions compile = read_compile_options(options, mesh, hardware);
  if (stage == Stage::kPlan) {
    check_wire(subject, compile.plan);
    return to_string(plan(subject, mesh, hardware, compile.plan));
  }
  compile.verify = false;
  const auto compiled = meshmul::compile(subject, mesh, hardware, read_backend(options), compile);
  return to_string(stage == Stage::kSchedule ? lower(compiled.plan, compiled.lower) : compiled.schedule);
}

}  // namespace

void add_statement(CLI::App& verb, StatementOptions& options, const std::string& help) {
  add_value(verb, "STATEMENT", options.statement, help, "")->required();
  add_value(verb, "--mesh", options.mesh, "Axes and their sizes", "X=4,Y=2");
  add_value(verb, "--hardware", options.hardware, "Profile or TOML file; 'meshmul hardware' lists them", "NAME|FILE")
      ->capture_default_str();
  add_model(verb, options.model);
  verb.add_flag("--json", options.json, "Print JSON");
}

void add_compilation(CLI::App& verb, StatementOptions& options) {
  add_value(verb, "--memory", options.memory, "Most bytes of memory per device", "300MB");
  add_value(verb, "--wire-dtype", options.wire_dtype, "Element type in which partial sums travel", "DTYPE");
  add_value(verb, "--algorithm", options.algorithm,
            "How collectives are built: direct, ring, ring-both-ways; automatic: the fastest by simulation", "NAME")
      ->capture_default_str();
  add_overlap(verb, options.overlap);
  add_value(verb, "--backend", options.backend,
            "What the schedule is made for: threads, processes, reference; cuda where there is a GPU", "NAME")
      ->capture_default_str();
  add_value(verb, "--dump", options.dump, "Print one stage and stop: statement, plan, schedule, legal", "STAGE");
}

Mesh read_mesh(const StatementOptions& options) {
  if (!options.mesh.empty()) return parse_mesh(options.mesh);
  // Names never hold `_`, so the first one begins an axis.
  const std::size_t place = options.statement.find('_');
  if (place != std::string::npos)
    throw Error(ErrorCode::kInvalidArgument, "an axis stands here, but there is no mesh; add one, as in --mesh X=4,Y=2",
                {options.statement, place, 1});
  return {};
}

CompileOptions read_compile_options(const StatementOptions& options, const Mesh& mesh, const Hardware& hardware) {
  CompileOptions compile;
  compile.plan = read_model(options.model, mesh, hardware);
  if (!options.memory.empty()) compile.plan.memory_bytes = parse_bytes(options.memory, "--memory");
  if (!options.wire_dtype.empty()) {
    compile.plan.wire_dtype = parse_dtype(options.wire_dtype);
    if (!compile.plan.wire_dtype) choose(options.wire_dtype, "--wire-dtype", names_of(kAllDtypes));
  }
  const Algorithm algorithm = kAlgorithms[choose(options.algorithm, "--algorithm", names_of(kAlgorithms))];
  OverlapChoice overlap = read_overlap(options.overlap);
  if (!overlap.products.empty() && !is_program_file(options.statement))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--design {}: arrays are named of programs alone", options.overlap.designs));
  if (algorithm != Algorithm::kAutomatic || overlap.all || !overlap.products.empty())
    compile.lower = {algorithm, overlap.all.value_or(OverlapOptions{})};
  compile.products = std::move(overlap.products);
  return compile;
}

const Executor& read_backend(const StatementOptions& options) { return require_executor(options.backend, "--backend"); }

std::optional<Stage> read_dump(const StatementOptions& options) {
  if (options.dump.empty()) return {};
  if (options.json)
    throw Error(ErrorCode::kInvalidArgument, "--dump prints the text form of a stage; leave out --json");
  return static_cast<Stage>(choose(options.dump, "--dump", {"statement", "plan", "schedule", "legal"}));
}

std::string dump(Stage stage, const Statement& statement, const Mesh& mesh, const StatementOptions& options) {
  if (stage == Stage::kStatement) return to_string(statement, mesh) + "\n";
  return dump_planned(stage, statement, mesh, options);
}

std::string dump(Stage stage, const Program& program, const Mesh& mesh, const StatementOptions& options) {
  if (stage == Stage::kStatement) return to_string(program, mesh);
  return dump_planned(stage, program, mesh, options);
}

}  // namespace meshmul::cli
