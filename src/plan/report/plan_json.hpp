#pragma once
// Whole plans as JSON.

#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"
#include "plan/report/step_json.hpp"

namespace meshmul {

/// What `plan_json` prints.
Json to_json(const Plan& plan);
Json to_json(const ProgramPlan& plan);

}  // namespace meshmul
