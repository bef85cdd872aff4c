#include "plan/report/step_json.hpp"

#include "base/count_json.hpp"
#include "plan/report/step_text.hpp"

namespace meshmul {
namespace {

constexpr const char* kOperandNames[] = {"A", "B", "C"};

Json axis_names(const std::vector<int>& axes, const Mesh& mesh) {
  Json names = Json::array();
  for (const int axis : axes) names.push_back(mesh.name(axis));
  return names;
}

Json move_json(const Move& move, const Mesh& mesh) {
  const StepCost& cost = move.cost;
  return {{"step", name(move.kind)},
          {"text", in_notation(move, mesh)},
          {"operand", kOperandNames[static_cast<int>(move.operand)]},
          {"axes", axis_names(move.axes, mesh)},
          {"from", to_string(move.from, mesh)},
          {"to", to_string(move.to, mesh)},
          {"seconds", cost.seconds},
          {"byte_seconds", cost.byte_seconds},
          {"hop_seconds", cost.hop_seconds},
          {"bytes", count_json(cost.bytes)},
          {"link_bytes", count_json(cost.link_bytes)},
          {"hops", count_json(cost.hops)},
          {"bound", name(cost.bound)}};
}

Json product_json(const LocalProduct& product, const Mesh& mesh) {
  const StepCost& cost = product.cost;
  return {{"step", "local product"},
          {"text", in_notation(product, mesh)},
          {"a", to_string(product.a, mesh)},
          {"b", to_string(product.b, mesh)},
          {"c", to_string(product.c, mesh)},
          {"seconds", cost.seconds},
          {"compute_seconds", cost.compute_seconds},
          {"memory_seconds", cost.memory_seconds},
          {"flops", count_json(cost.flops)},
          {"bound", name(cost.bound)}};
}

}  // namespace

Json to_json(const Step& step, const Mesh& mesh) {
  if (const auto* move = std::get_if<Move>(&step)) return move_json(*move, mesh);
  return product_json(std::get<LocalProduct>(step), mesh);
}

Json to_json(const std::vector<Step>& steps, const Mesh& mesh) {
  Json json = Json::array();
  for (const Step& step : steps) json.push_back(to_json(step, mesh));
  return json;
}

Json to_json(const OnChip& needed) {
  return {{"available_bytes", needed.available_bytes},
          {"shard_bytes", count_json(needed.shard_bytes)},
          {"slot_bytes", count_json(needed.slot_bytes)},
          {"fits", needed.fits()}};
}

}  // namespace meshmul
