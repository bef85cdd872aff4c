// Plans that trade time for memory as JSON.
#include "meshmul/pareto.hpp"
#include "plan/report/plan_json.hpp"

namespace meshmul {
namespace {

template <class AnyPlan>
std::string json_of(const std::vector<AnyPlan>& front) {
  Json plans = Json::array();
  for (const AnyPlan& plan : front) plans.push_back(to_json(plan));
  return Json{{"plans", plans}}.dump(2) + "\n";
}

}  // namespace

std::string pareto_json(const std::vector<Plan>& front) { return json_of(front); }

std::string pareto_json(const std::vector<ProgramPlan>& front) { return json_of(front); }

}  // namespace meshmul
