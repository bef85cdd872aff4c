// The plan as JSON for programs: the same facts as the table, in full precision.
#include "plan/report/plan_json.hpp"

#include "base/count_json.hpp"
#include "meshmul/plan.hpp"

namespace meshmul {

Json to_json(const Plan& plan) {
  Json json{{"statement", to_string(plan.statement, plan.mesh)},
            {"mesh", plan.mesh.str()},
            {"hardware", plan.hardware},
            {"steps", to_json(plan.steps, plan.mesh)},
            {"seconds_sequential", plan.seconds_sequential},
            {"seconds_overlapped", plan.seconds_overlapped},
            {"move_seconds", plan.move_seconds},
            {"product_seconds", plan.product_seconds},
            {"flops", count_json(plan.flops)},
            {"peak_bytes", plan.peak_bytes},
            {"cases", plan.cases},
            {"rejected", Json::array()}};
  if (plan.on_chip)
    json["on_chip"] = {{"available_bytes", plan.on_chip->available_bytes},
                       {"shard_bytes", count_json(plan.on_chip->shard_bytes)},
                       {"slot_bytes", count_json(plan.on_chip->slot_bytes)},
                       {"fits", plan.on_chip->fits()}};
  for (const RejectedPlan& loser : plan.rejected)
    json["rejected"].push_back({{"steps", to_json(loser.steps, plan.mesh)},
                                {"seconds", loser.seconds},
                                {"peak_bytes", loser.peak_bytes},
                                {"reason", loser.reason}});
  return json;
}

std::string plan_json(const Plan& plan) { return to_json(plan).dump(2) + "\n"; }

}  // namespace meshmul
