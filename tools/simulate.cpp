// `meshmul simulate STATEMENT|FILE`: when every op of a schedule would run on a machine, and what the time goes into.

#include "meshmul/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "base/option_values.hpp"
#include "meshmul/error.hpp"
#include "overwriting.hpp"
#include "pictures.hpp"
#include "program_file.hpp"
#include "read_text.hpp"
#include "schedule_file.hpp"
#include "simulate_comparison.hpp"
#include "simulate_fastest.hpp"
#include "simulate_program.hpp"
#include "simulate_report.hpp"
#include "simulate_schedule.hpp"
#include "statement_options.hpp"
#include "verb.hpp"

namespace meshmul::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  meshmul simulate 'AllGather_Y(bf16 A[I=16384_Y, J=8192_X])' --mesh X=8,Y=16 --hardware v5e:8x16 \\\n"
    "    --html gather.html --trace gather.json\n"
    "  meshmul simulate 'bf16 A[I=8192_X, J=8192] * B[J, K=8192_X] -> C[I, K_X]' --mesh X=8 --hardware h100:8 \\\n"
    "    --algorithm ring-both-ways --json\n"
    "  meshmul simulate schedule.txt --hardware v5e:2x2\n"
    "  meshmul simulate 'AllGather_X(bf16 A[I_X, J=64])' --mesh X=8 --hardware h100:8 \\\n"
    "    --compare direct,ring,ring-both-ways --sizes I=8..65536\n\n"
    "Without --algorithm, or with automatic, all are simulated and the fastest is shown. docs/simulation.md has the "
    "rules.";

struct SimulateVerbOptions {
  StatementOptions statement;
  bool store_and_forward = false;
  bool one_group = false;
  std::string compare;
  std::string sizes;
  std::string ranks_per_core = "1";
  std::string ranks_per_memory = "1";
  std::string ranks_per_chip = "1";
  PictureOptions pictures;
};

SimulateOptions read_options(const SimulateVerbOptions& options, const CostSettings& cost) {
  return {cost, options.store_and_forward, parse_count(options.ranks_per_core, "--ranks-per-core", 1),
          parse_count(options.ranks_per_memory, "--ranks-per-memory", 1),
          parse_count(options.ranks_per_chip, "--ranks-per-chip", 1)};
}

/// Also draws it, with its plan where there is one.
Answer print(const SimulateReport& report, const Plan* plan, const SimulateVerbOptions& options) {
  if (wants_pictures(options.pictures)) {
    const std::optional<Representative>& group = report.chosen.group;
    const std::string what = group ? note(*group, plan->mesh) : "";
    write_pictures(options.pictures, {.plan = group ? &group->plan : plan,
                                      .schedule = &report.chosen.schedule,
                                      .predicted = &report.chosen.timeline,
                                      .note = what});
  }
  return {options.statement.json ? to_text(as_json(report)) : as_text(report)};
}

/// `direct,ring`
std::vector<Algorithm> read_algorithms(const std::string& text) {
  std::vector<std::string> names;
  for (const Algorithm algorithm : kBuiltAlgorithms) names.emplace_back(name(algorithm));
  std::vector<Algorithm> algorithms;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const Algorithm algorithm = kBuiltAlgorithms[choose(text.substr(begin, end - begin), "--compare", names)];
    if (std::ranges::find(algorithms, algorithm) != algorithms.end())
      throw Error(ErrorCode::kInvalidArgument, fmt::format("--compare names {} twice", name(algorithm)));
    algorithms.push_back(algorithm);
    begin = end + 1;
  }
  return algorithms;
}

Answer simulate_statement(const SimulateVerbOptions& options) {
  const StatementOptions& given = options.statement;
  const Mesh mesh = read_mesh(given);
  const Statement statement = parse_statement(given.statement, mesh);
  const bool compares = !options.compare.empty();
  if (!compares) check_sizes(statement);
  if (const auto stage = read_dump(given)) return {dump(*stage, statement, mesh, given)};
  const Hardware hardware = find_hardware(given.hardware);
  const CompileOptions compile = read_compile_options(given, mesh, hardware);
  const SimulateTarget target{hardware, read_backend(given).capabilities(), read_options(options, compile.plan.cost),
                              options.one_group};
  if (compares) {
    const SimulateComparison comparison =
        compare(statement, mesh, parse_unknown(options.sizes), read_algorithms(options.compare), compile.plan, target);
    return {given.json ? to_text(as_json(comparison)) : as_text(comparison)};
  }
  const std::vector<Plan> plans = plans_to_try(statement, mesh, hardware, compile.plan);
  Fastest fastest = find_fastest(plans, compile, target);
  const Plan& chosen = *fastest.plan;
  return print({to_string(chosen.statement, mesh), setting_of(chosen), std::move(fastest.simulated),
                times_of(fastest.candidates)},
               &chosen, options);
}

Answer simulate_program_file(const SimulateVerbOptions& options) {
  const StatementOptions& given = options.statement;
  if (!options.compare.empty() || options.one_group)
    throw Error(ErrorCode::kInvalidArgument,
                "--compare and --one-group are for statements; a program is simulated whole");
  const Mesh mesh = given.mesh.empty() ? Mesh{} : parse_mesh(given.mesh);
  const std::string text = read_program(given.statement);
  return placed_in_file(given.statement, text, [&]() -> Answer {
    const Program program = parse_program(text, mesh);
    check_sizes(program);
    if (const auto stage = read_dump(given)) return {dump(*stage, program, mesh, given)};
    const Hardware hardware = find_hardware(given.hardware);
    const CompileOptions compile = read_compile_options(given, mesh, hardware);
    const SimulatedProgram found =
        simulate_program(program, mesh, compile,
                         {hardware, read_backend(given).capabilities(), read_options(options, compile.plan.cost)});
    if (wants_pictures(options.pictures))
      write_pictures(
          options.pictures,
          {.program_plan = &found.plan, .schedule = &found.simulated.schedule, .predicted = &found.simulated.timeline});
    const SimulateReport report{given.statement, setting_of(found.plan), found.simulated, times_of(found.candidates)};
    return {given.json ? to_text(as_json(report)) : as_text(report)};
  });
}

/// On the fastest placement; of equal ones the first.
Answer simulate_file(const SimulateVerbOptions& options) {
  const StatementOptions& given = options.statement;
  const Schedule schedule = read_schedule(given.statement);
  const Hardware hardware = find_hardware(given.hardware);
  PlacedTimeline placed = simulate_placed(schedule, hardware, given.model, read_options(options, {}));
  note_if_unproven(schedule, given.statement);
  const Setting setting{schedule.contract.mesh, hardware.name, placed.model.cost, placed.placement.slice,
                        placed.placement.mapping};
  return print(
      {name_of_text(given.statement), setting, {.schedule = schedule, .timeline = std::move(placed.timeline)}, {}},
      nullptr, options);
}

void check_comparison(const SimulateVerbOptions& options) {
  const bool compares = !options.compare.empty();
  if (compares == options.sizes.empty())
    throw Error(ErrorCode::kInvalidArgument, compares ? "--compare needs --sizes, as in --sizes I=64..65536"
                                                      : "--sizes needs --compare, as in --compare direct,ring");
  if (!compares) return;
  if (is_schedule_file(options.statement.statement) || !options.statement.dump.empty())
    throw Error(ErrorCode::kInvalidArgument, "--compare is for statements, without --dump");
  if (options.sizes.find('=') == std::string::npos)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("--sizes is {}; expected a range, as in --sizes I=64..65536", options.sizes));
}

void check_group(const SimulateVerbOptions& options) {
  if (options.one_group && is_schedule_file(options.statement.statement))
    throw Error(ErrorCode::kInvalidArgument,
                "--one-group is for statements: a schedule that was read is simulated whole");
}

/// A schedule that was read says all this itself.
void check_file_options(const SimulateVerbOptions& options) {
  const StatementOptions& given = options.statement;
  if (is_schedule_file(given.statement)) refuse_statement_options(given, "is simulated as it was read");
}

void check_pictures(const SimulateVerbOptions& options) {
  if (!wants_pictures(options.pictures) || (options.compare.empty() && options.statement.dump.empty())) return;
  throw Error(ErrorCode::kInvalidArgument, fmt::format("--html and --trace draw one simulated schedule; leave out {}",
                                                       options.compare.empty() ? "--dump" : "--compare"));
}

Answer answer(const SimulateVerbOptions& options) {
  check_comparison(options);
  check_group(options);
  check_pictures(options);
  refuse_same_files(options.pictures, read_files(options.statement));
  if (is_program_file(options.statement.statement)) return simulate_program_file(options);
  check_file_options(options);
  return is_schedule_file(options.statement.statement) ? simulate_file(options) : simulate_statement(options);
}

}  // namespace

Verb add_simulate(CLI::App& app) {
  const auto options = std::make_shared<SimulateVerbOptions>();
  CLI::App* verb =
      app.add_subcommand("simulate", "Predict when each op of a schedule runs, and what the time goes into");
  add_statement(*verb, options->statement,
                "A product, a change of sharding or a collective, with every size; a program FILE.mm; or a schedule in "
                "its text form, "
                "FILE or -");
  add_compilation(*verb, options->statement);
  verb->add_flag("--store-and-forward", options->store_and_forward,
                 "Devices on the way pass bytes on only once all have come");
  verb->add_flag("--one-group", options->one_group,
                 "One of the groups of ranks that never meet stands for all; so it does for more than 1024 ranks");
  add_value(*verb, "--ranks-per-core", options->ranks_per_core, "Ranks that share a core, and take turns", "NUMBER")
      ->capture_default_str();
  add_value(*verb, "--ranks-per-memory", options->ranks_per_memory, "Ranks that share a memory", "NUMBER")
      ->capture_default_str();
  add_value(*verb, "--ranks-per-chip", options->ranks_per_chip, "Ranks that share all of a chip, its port too",
            "NUMBER")
      ->capture_default_str();
  add_value(*verb, "--compare", options->compare, "Table of algorithms by the size of the index of --sizes",
            "NAME,NAME…");
  add_value(*verb, "--sizes", options->sizes, "Sizes of an index that has none, each twice the one before it",
            "INDEX=LOW..HIGH");
  add_pictures(*verb, options->pictures);
  verb->footer(kExamples);
  return {verb, [options] { return answer(*options); }};
}

}  // namespace meshmul::cli
