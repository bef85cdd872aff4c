// The plan as JSON for programs: the same facts as the table, in full precision.
#include <nlohmann/json.hpp>

#include "meshmul/plan.hpp"

namespace meshmul {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kOperandNames[] = {"A", "B", "C"};

Json axis_names(const std::vector<int>& axes, const Mesh& mesh) {
  Json names = Json::array();
  for (const int axis : axes) names.push_back(mesh.name(axis));
  return names;
}

Json to_json(const Move& move, const Mesh& mesh) {
  return {{"step", name(move.kind)},
          {"operand", kOperandNames[static_cast<int>(move.operand)]},
          {"axes", axis_names(move.axes, mesh)},
          {"from", to_string(move.from, mesh)},
          {"to", to_string(move.to, mesh)},
          {"seconds", move.cost.seconds},
          {"bytes", move.cost.bytes},
          {"hops", move.cost.hops},
          {"bound", name(move.cost.bound)}};
}

Json to_json(const LocalProduct& product, const Mesh& mesh) {
  return {{"step", "local product"},          {"a", to_string(product.a, mesh)}, {"b", to_string(product.b, mesh)},
          {"c", to_string(product.c, mesh)},  {"seconds", product.cost.seconds}, {"flops", product.cost.flops},
          {"bound", name(product.cost.bound)}};
}

Json to_json(const std::vector<Step>& steps, const Mesh& mesh) {
  Json json = Json::array();
  for (const Step& step : steps) json.push_back(std::visit([&](const auto& s) { return to_json(s, mesh); }, step));
  return json;
}

}  // namespace

std::string plan_json(const Plan& plan) {
  Json json{{"statement", to_string(plan.statement, plan.mesh)},
            {"mesh", plan.mesh.str()},
            {"hardware", plan.hardware},
            {"steps", to_json(plan.steps, plan.mesh)},
            {"seconds_sequential", plan.seconds_sequential},
            {"seconds_overlapped", plan.seconds_overlapped},
            {"peak_bytes", plan.peak_bytes},
            {"cases", plan.cases},
            {"rejected", Json::array()}};
  for (const RejectedPlan& loser : plan.rejected)
    json["rejected"].push_back({{"steps", to_json(loser.steps, plan.mesh)},
                                {"seconds", loser.seconds},
                                {"peak_bytes", loser.peak_bytes},
                                {"reason", loser.reason}});
  return json.dump(2) + "\n";
}

}  // namespace meshmul
