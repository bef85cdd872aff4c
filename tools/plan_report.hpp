#pragma once
// A plan, or all plans that trade time for memory, in the form that was asked for.

#include <string>
#include <vector>

#include "meshmul/pareto.hpp"
#include "plan_options.hpp"

namespace meshmul::cli {

/// `AnyPlan` is Plan or ProgramPlan.
template <class AnyPlan>
std::string report(const AnyPlan& plan, const PlanVerbOptions& options) {
  if (options.markdown) return plan_markdown(plan);
  return options.statement.json ? plan_json(plan) : to_string(plan);
}

template <class AnyPlan>
std::string report(const std::vector<AnyPlan>& front, const PlanVerbOptions& options) {
  if (options.markdown) return pareto_markdown(front);
  return options.statement.json ? pareto_json(front) : pareto_text(front);
}

}  // namespace meshmul::cli
