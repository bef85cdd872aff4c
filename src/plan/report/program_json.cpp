// The plan of a program as JSON: the same facts as its text, in full precision.
#include "meshmul/program_plan.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/report/part_text.hpp"
#include "plan/report/plan_json.hpp"
#include "plan/report/setting.hpp"

namespace meshmul {
namespace {

Json map_json(const LocalMap& map, const Mesh& mesh) {
  Json sources = Json::array();
  for (const ArrayType& source : map.sources) sources.push_back(to_string(source, mesh));
  return {{"step", name(map.function)},
          {"sources", sources},
          {"result", to_string(map.result, mesh)},
          {"seconds", map.cost.seconds},
          {"memory_seconds", map.cost.memory_seconds},
          {"bound", name(map.cost.bound)}};
}

Json step_json(const ProgramStep& step, const Mesh& mesh) {
  if (const auto* map = std::get_if<LocalMap>(&step)) return map_json(*map, mesh);
  if (const auto* move = std::get_if<Move>(&step)) return to_json(Step(*move), mesh);
  return to_json(Step(std::get<LocalProduct>(step)), mesh);
}

Json part_json(const PlannedPart& part, const Program& program, const Mesh& mesh) {
  PlannedPart once = part;
  once.times = 1;
  Json steps = Json::array();
  for (const ProgramStep& step : part.steps) steps.push_back(step_json(step, mesh));
  Json json{{"part", part_title(once, program)},
            {"times", part.times},
            {"steps", steps},
            {"seconds_sequential", part.seconds_sequential},
            {"seconds_overlapped", part.seconds_overlapped},
            {"working_bytes", part.working_bytes},
            {"peak_bytes", part.peak_bytes},
            {"cases", part.cases}};
  if (part.on_chip) json["on_chip"] = to_json(*part.on_chip);
  if (part.function_step) json["function_step"] = *part.function_step;
  return json;
}

Json program_json(const PlannedProgram& planned, const Mesh& mesh) {
  Json json;
  if (planned.strategy) json["strategy"] = name(*planned.strategy);
  json["program"] = to_string(planned.program, mesh);
  json["seconds_sequential"] = planned.seconds_sequential;
  json["seconds_overlapped"] = planned.seconds_overlapped;
  for (const Activation& activation : planned.activations)
    json["activations"].push_back({{"name", activation.name}, {"recomputed", activation.is_recomputed}});
  json["sent_bytes"] = planned.sent_bytes;
  json["peak_bytes"] = planned.peak_bytes;
  json["parts"] = Json::array();
  for (const PlannedPart& part : planned.parts) json["parts"].push_back(part_json(part, planned.program, mesh));
  return json;
}

}  // namespace

Json to_json(const ProgramPlan& plan) {
  Json json = setting_json(setting_of(plan));
  if (plan.memory_limit) json["memory_limit"] = *plan.memory_limit;
  if (plan.on_chip_bytes) json["on_chip_bytes"] = *plan.on_chip_bytes;
  json.update(program_json(plan.best, plan.mesh));
  json["rejected"] = Json::array();
  for (const RejectedProgram& loser : plan.rejected) {
    Json rejected = program_json(loser.way, plan.mesh);
    rejected["fits"] = loser.fits;
    rejected["reason"] = loser.reason;
    json["rejected"].push_back(rejected);
  }
  return json;
}

std::string plan_json(const ProgramPlan& plan) { return to_json(plan).dump(2) + "\n"; }

}  // namespace meshmul
