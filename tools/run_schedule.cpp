#include "run_schedule.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/error.hpp"
#include "read_text.hpp"
#include "run_check.hpp"
#include "run_session.hpp"
#include "schedule_file.hpp"
#include "simulate_schedule.hpp"
#include "verify/alike.hpp"
#include "verify_report.hpp"

namespace meshmul::cli {
namespace {

using ArrayTypes = std::vector<const ArrayType*>;

/// The arrays that statements use and none has made before, each as it is used first.
ArrayTypes arrays_in(const Contract& contract) {
  ArrayTypes arrays;
  std::set<std::string> known;
  for (const ContractStatement& statement : contract.statements) {
    for (const ArrayType* type : inputs(statement))
      if (known.insert(type->name).second) arrays.push_back(type);
    known.insert(output(statement).name);
  }
  return arrays;
}

/// Those that no later statement uses, and others that the contract says lie somewhere at the end; each as it was made last.
ArrayTypes arrays_out(const Contract& contract) {
  ArrayTypes arrays;
  const auto forget = [&](const std::string& name) {
    std::erase_if(arrays, [&](const ArrayType* type) { return type->name == name; });
  };
  for (const ContractStatement& statement : contract.statements) {
    for (const ArrayType* used : inputs(statement))
      if (std::ranges::find(contract.outputs, used->name, &Holding::array) == contract.outputs.end())
        forget(used->name);
    forget(output(statement).name);
    arrays.push_back(&output(statement));
  }
  return arrays;
}

/// What keeps `schedule` from being run: without proof only that it cannot be carried out at all.
std::vector<Finding> findings_of(const Schedule& schedule, const RunOptions& options) {
  if (!options.no_verify) return verify(schedule);
  const std::vector<Finding> findings = check_runnable(schedule);
  if (!findings.empty()) throw Error(ErrorCode::kInvalidArgument, verification::first_and_others(findings, schedule));
  note_if_unproven(schedule, options.statement.statement);
  return {};
}

/// As the backend gets it. What had to be rewritten is proven anew.
Schedule legalized(const Schedule& schedule, const RunOptions& options) {
  Schedule legal = legalize(schedule, read_backend(options.statement).capabilities());
  if (legal.ranks != schedule.ranks && !options.no_verify) prove(legal);
  return legal;
}

}  // namespace

Answer run_schedule(const RunOptions& options) {
  const StatementOptions& given = options.statement;
  refuse_statement_options(given, "runs as it was read");
  const std::string name = name_of_text(given.statement);
  const Schedule read = read_schedule(given.statement);
  const std::vector<Finding> findings = findings_of(read, options);
  if (!findings.empty()) return {given.json ? as_json(read, findings) : as_text(read, findings), false};
  // 1. What can be refused is refused before the work begins.
  const Schedule schedule = legalized(read, options);
  const Contract& contract = schedule.contract;
  if (options.check) require_checkable(schedule, name);
  std::vector<InputFile> input_files = open_inputs(options.inputs, arrays_in(contract), "the schedule");
  const std::vector<OutputFile> output_files = read_outputs(options, arrays_out(contract));
  refuse_overwriting(options, locations_of(input_files), output_files);
  const std::vector<Input> inputs =
      make_inputs(arrays_in(contract), contract.mesh, std::move(input_files), read_random(options));
  std::vector<Output> outputs;
  for (const ArrayType* type : arrays_out(contract)) outputs.push_back(find_output(schedule, *type));
  require_writable(output_files, outputs);
  std::optional<PlacedTimeline> predicted;
  if (options.records()) predicted = simulate_placed(schedule, find_hardware(given.hardware), given.model);
  // 2. The work.
  OutputChecker check;
  if (options.check)
    check = [&](const Schedule& ran, Session& session, Progress& progress) {
      return check_run({ran, inputs, outputs, session, progress});
    };
  RunResult result = carry_out(options, {schedule, inputs, outputs, output_files, check});
  result.subject = subject_of(schedule, name);
  if (predicted) look_at_times(options, {.schedule = &schedule, .predicted = &predicted->timeline}, result);
  return answer_of(options, result);
}

}  // namespace meshmul::cli
