// The plan as JSON for programs: the same facts as the table, in full precision.
#include "plan/report/plan_json.hpp"

#include "base/count_json.hpp"
#include "plan/report/setting.hpp"

namespace meshmul {

Json to_json(const Plan& plan) {
  Json json{{"statement", to_string(plan.statement, plan.mesh)}};
  json.update(setting_json(setting_of(plan)));
  json["steps"] = to_json(plan.steps, plan.mesh);
  json["seconds_sequential"] = plan.seconds_sequential;
  json["seconds_overlapped"] = plan.seconds_overlapped;
  json["move_seconds"] = plan.move_seconds;
  json["product_seconds"] = plan.product_seconds;
  json["flops"] = count_json(plan.flops);
  json["peak_bytes"] = plan.peak_bytes;
  if (plan.on_chip) json["on_chip"] = to_json(*plan.on_chip);
  json["cases"] = plan.cases;
  json["rejected"] = Json::array();
  for (const RejectedPlan& loser : plan.rejected)
    json["rejected"].push_back({{"steps", to_json(loser.steps, plan.mesh)},
                                {"seconds", loser.seconds},
                                {"peak_bytes", loser.peak_bytes},
                                {"reason", loser.reason}});
  return json;
}

std::string plan_json(const Plan& plan) { return to_json(plan).dump(2) + "\n"; }

}  // namespace meshmul
