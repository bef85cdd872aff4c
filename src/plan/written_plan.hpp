#pragma once
// From the steps that a search found to a plan.

#include "meshmul/error.hpp"
#include "meshmul/plan.hpp"
#include "plan/search.hpp"

namespace meshmul {

/// The plan with these steps, which were searched for on `machine`; without losers.
Plan written_plan(const Statement& statement, const Mesh& mesh, const Machine& machine, PricedSteps found);

/// Says what the limit was and whose, and which plan takes the least: `smallest`.
Error no_plan_fits(const Statement& statement, const Hardware& hardware, const PlanOptions& options,
                   const Plan& smallest);

}  // namespace meshmul
