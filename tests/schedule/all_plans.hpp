#pragma once
// The plan that is taken for a statement, and all that were rejected: the losers move other arrays.

#include <string>
#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::testing {

/// On the profile `cpu`. The plan that is taken comes last.
inline std::vector<Plan> all_plans(const std::string& text, const Mesh& mesh, const PlanOptions& options = {}) {
  Plan best = plan(parse_statement(text, mesh), mesh, find_hardware("cpu"), options);
  std::vector<Plan> plans;
  for (const RejectedPlan& loser : best.rejected) {
    plans.push_back(best);
    plans.back().steps = loser.steps;
    plans.back().peak_bytes = loser.peak_bytes;
  }
  plans.push_back(best);
  return plans;
}

}  // namespace meshmul::testing
