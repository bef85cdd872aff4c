#pragma once
// A plan and how it would be built, or all plans that trade time for memory, in the form that was asked for.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/amounts.hpp"
#include "json.hpp"
#include "meshmul/pareto.hpp"
#include "meshmul/tune.hpp"
#include "plan_options.hpp"

namespace meshmul::cli {

template <class Way>
double seconds(const CandidateOf<Way>& way) {
  return static_cast<double>(way.makespan_ps) * 1e-12;
}

/// `built overlapped pull: 12.6 us by simulation`
template <class Way>
std::string sentence(const CandidateOf<Way>& way) {
  const std::string built = "built " + to_string(way.lower);
  return way.makespan_ps == 0 ? built : fmt::format("{}: {} by simulation", built, format_seconds(seconds(way)));
}

/// `AnyPlan` is Plan or ProgramPlan, and `Way` that of its candidates.
template <class AnyPlan, class Way>
std::string report(const AnyPlan& plan, const std::optional<CandidateOf<Way>>& way, const PlanVerbOptions& options) {
  if (options.statement.json) {
    Json json = Json::parse(plan_json(plan));
    if (way) json["way"] = to_string(way->lower);
    if (way && way->makespan_ps > 0) json["way_seconds"] = seconds(*way);
    return to_text(json);
  }
  if (options.markdown) return plan_markdown(plan) + (way ? "\n## Schedule\n\n- " + sentence(*way) + "\n" : "");
  return to_string(plan) + (way ? "\n" + sentence(*way) + "\n" : "");
}

template <class AnyPlan>
std::string report(const std::vector<AnyPlan>& front, const PlanVerbOptions& options) {
  if (options.markdown) return pareto_markdown(front);
  return options.statement.json ? pareto_json(front) : pareto_text(front);
}

}  // namespace meshmul::cli
