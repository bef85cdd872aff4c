#include "run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <variant>
#include <vector>

#include "base/amounts.hpp"
#include "meshmul/tune.hpp"
#include "notation/useful_flops.hpp"
#include "schedule/op_count.hpp"
#include "verify/words.hpp"

namespace meshmul::cli {
namespace {

std::int64_t most(const std::vector<std::int64_t>& bytes) {
  return bytes.empty() ? 0 : *std::max_element(bytes.begin(), bytes.end());
}

double flops_per_second(const RunResult& result) {
  return result.measured.seconds > 0 ? result.subject.flops / result.measured.seconds : 0;
}

/// The plan without the ways that were not taken.
std::string chosen_way(Plan plan) {
  plan.rejected.clear();
  plan.cases.clear();
  return to_string(plan);
}

std::string chosen_way(ProgramPlan plan) {
  plan.rejected.clear();
  for (PlannedPart& part : plan.best.parts) part.cases.clear();
  return to_string(plan);
}

/// Bytes of the buffers that these lie in, on one rank.
std::int64_t bytes_under(std::initializer_list<const std::vector<Holding>*> holdings, const Schedule& schedule) {
  std::set<int> buffers;
  for (const std::vector<Holding>* arrays : holdings)
    for (const Holding& holding : *arrays) buffers.insert(holding.region.buffer);
  std::int64_t bytes = 0;
  for (const int buffer : buffers) bytes += schedule.buffers[static_cast<std::size_t>(buffer)].num_bytes();
  return bytes;
}

std::int64_t given_bytes(const Schedule& schedule) { return bytes_under({&schedule.contract.inputs}, schedule); }

std::int64_t workspace_bytes(const Schedule& schedule) {
  return bytes_per_rank(schedule) - bytes_under({&schedule.contract.inputs, &schedule.contract.outputs}, schedule);
}

Json to_json(const Difference& difference) {
  return {{"error", difference.error},
          {"bound", difference.bound},
          {"found", difference.found},
          {"expected", difference.expected},
          {"position", difference.position}};
}

Json to_json(const CheckResult& check) {
  Json json{{"ok", check.ok},
            {"method", check.method},
            {"elements_checked", check.elements_checked},
            {"rows_checked", check.rows_checked}};
  if (check.element) json["element"] = to_json(*check.element);
  if (check.row) json["row"] = to_json(*check.row);
  return json;
}

std::string bytes_text(std::int64_t bytes) { return format_amount(static_cast<double>(bytes), "B"); }

std::string memory_text(const RunResult& result) {
  const RunSubject& subject = result.subject;
  std::string text = fmt::format("memory    {} at most on a rank, ", bytes_text(most(result.measured.peak_bytes)));
  if (subject.given_bytes) text += fmt::format("{} of it for given arrays, ", bytes_text(*subject.given_bytes));
  text += fmt::format("{} besides inputs and outputs", bytes_text(subject.workspace_bytes));
  if (subject.planned_bytes) text += fmt::format("; the plan says {}", bytes_text(*subject.planned_bytes));
  return text + "\n";
}

/// Names count where there are several.
std::string outputs_text(const std::vector<OutputFile>& outputs) {
  if (outputs.size() == 1) return fmt::format("output    {}\n", outputs.front().location);
  std::string text;
  for (const OutputFile& output : outputs) text += fmt::format("output    {} in {}\n", output.array, output.location);
  return text;
}

Json outputs_json(const std::vector<OutputFile>& outputs) {
  if (outputs.size() == 1) return outputs.front().location;
  Json json = Json::object();
  for (const OutputFile& output : outputs) json[output.array] = output.location;
  return json;
}

}  // namespace

RunSubject subject_of(const Compiled& compiled) {
  return {chosen_way(compiled.plan),
          {{"plan", Json::parse(plan_json(compiled.plan))}},
          useful_flops(compiled.plan.statement),
          workspace_bytes(compiled.schedule),
          to_string(compiled.lower),
          compiled.plan.peak_bytes};
}

RunSubject subject_of(const CompiledProgram& compiled) {
  const ProgramPlan& plan = compiled.plan;
  return {chosen_way(plan),
          {{"plan", Json::parse(plan_json(plan))}},
          useful_flops(plan.best.program),
          workspace_bytes(compiled.schedule),
          to_string(compiled.lower),
          plan.best.peak_bytes,
          given_bytes(compiled.schedule)};
}

RunSubject subject_of(const Schedule& schedule, const std::string& name) {
  constexpr std::size_t kMostStatements = 8;  // in the text; programs have many
  const Contract& contract = schedule.contract;
  RunSubject subject{"", {{"schedule", name}, {"statements", Json::array()}}};
  subject.workspace_bytes = workspace_bytes(schedule);
  for (const ContractStatement& statement : contract.statements) {
    const std::string text = to_string(statement, contract.mesh);
    subject.json["statements"].push_back(text);
    if (subject.json["statements"].size() <= kMostStatements) subject.text += text + "\n";
    if (const auto* simple = std::get_if<Statement>(&statement.form)) subject.flops += useful_flops(*simple);
  }
  if (contract.statements.size() > kMostStatements)
    subject.text += fmt::format("… and {} statements more\n", contract.statements.size() - kMostStatements);
  subject.json["mesh"] = contract.mesh.str();
  subject.json["ops"] = num_ops(schedule);
  subject.text += fmt::format("mesh {}, {}, as {} has them\n",
                              contract.mesh.num_axes() == 0 ? "of one device" : contract.mesh.str(),
                              verification::counted(num_ops(schedule), "op"), name);
  return subject;
}

std::string checks_text(const std::vector<OutputCheck>& checks) {
  std::string text;
  for (const auto& [array, check] : checks)
    text += fmt::format("check     {}{}: {}\n", checks.size() > 1 ? array + " " : "", check.ok ? "passed" : "failed",
                        to_string(check));
  return text;
}

Json checks_json(const std::vector<OutputCheck>& checks) {
  if (checks.size() == 1) return to_json(checks.front().result);
  Json json = Json::object();
  for (const auto& [array, check] : checks) json[array] = to_json(check);
  return json;
}

bool is_right(const RunResult& result) {
  return std::ranges::all_of(result.checks, [](const OutputCheck& check) { return check.result.ok; });
}

std::string as_text(const RunResult& result) {
  const RunReport& measured = result.measured;
  std::string text = result.subject.text + "\n";
  text += fmt::format("backend   {}, {}\n", result.backend, measured.kernels);
  if (!result.subject.way.empty()) text += fmt::format("built     {}\n", result.subject.way);
  text += fmt::format("time      {}", format_seconds(measured.seconds));
  if (const double rate = flops_per_second(result); rate > 0) text += ", " + format_amount(rate, "FLOP/s");
  text += fmt::format("\nmoved     {} between ranks\n", bytes_text(result.bytes_moved));
  text += memory_text(result);
  if (!result.replicas_agree) text += "replicas  differ in some bits; the output is that of the first\n";
  text += outputs_text(result.outputs);
  text += checks_text(result.checks);
  if (result.times) text += as_text(*result.times);
  return text;
}

std::string as_json(const RunResult& result) {
  const RunReport& measured = result.measured;
  Json json = result.subject.json;
  json["backend"] = result.backend;
  if (!result.subject.way.empty()) json["way"] = result.subject.way;
  json["kernels"] = measured.kernels;
  json["seconds"] = measured.seconds;
  json["flops_per_second"] = flops_per_second(result);
  json["bytes_between_ranks"] = result.bytes_moved;
  json["peak_bytes"] = measured.peak_bytes;
  json["workspace_bytes"] = result.subject.workspace_bytes;
  json["replicas_agree"] = result.replicas_agree;
  if (!result.outputs.empty()) json["output"] = outputs_json(result.outputs);
  if (result.subject.given_bytes) json["given_bytes"] = *result.subject.given_bytes;
  if (!result.checks.empty()) json["check"] = checks_json(result.checks);
  if (result.times) json["timeline"] = as_json(*result.times);
  return to_text(json);
}

}  // namespace meshmul::cli
