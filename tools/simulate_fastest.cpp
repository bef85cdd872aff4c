#include "simulate_fastest.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace meshmul::cli {
namespace {

/// Adds `found`, which was built by `way`; of equally fast ones the first is kept.
void consider(const LowerOptions& way, Simulated found, const Plan& plan, std::int64_t bytes, Fastest& fastest) {
  const std::int64_t makespan_ps = found.timeline.makespan_ps;
  const auto known = std::ranges::find(fastest.candidates, way, &Candidate::lower);
  if (known == fastest.candidates.end())
    fastest.candidates.push_back({way, makespan_ps, bytes});
  else
    known->makespan_ps = std::min(known->makespan_ps, makespan_ps);
  if (fastest.plan != nullptr && makespan_ps >= fastest.simulated.timeline.makespan_ps) return;
  fastest.simulated = std::move(found);
  fastest.plan = &plan;
}

}  // namespace

std::vector<Plan> plans_to_try(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                               const PlanOptions& options) {
  constexpr std::size_t kMostPlans = 8;
  std::vector<Plan> plans = {plan(statement, mesh, hardware, options)};
  if (options.mapping) return plans;
  const auto seconds = [&](const Plan& p) { return options.overlapped ? p.seconds_overlapped : p.seconds_sequential; };
  const Plan best = plans.front();
  for (const Placement& placement : placements(mesh, hardware, options.cost.topology)) {
    if (plans.size() == kMostPlans) break;
    if (placement.slice == best.slice && placement.mapping == best.mapping) continue;
    Hardware there = hardware;
    there.slice = placement.slice;
    PlanOptions options_there = options;
    options_there.mapping = placement.mapping;
    Plan found = plan(statement, mesh, there, options_there);
    if (seconds(found) <= seconds(best) * (1 + 1e-9)) plans.push_back(std::move(found));
  }
  return plans;
}

Fastest find_fastest(const std::vector<Plan>& plans, const CompileOptions& compile, const SimulateTarget& target) {
  Fastest fastest;
  std::optional<Candidate> smallest;
  for (const Plan& plan : plans) {
    const std::vector<LowerOptions> ways = compile.lower ? std::vector{applied(*compile.lower, plan)}
                                                         : ways_to_build(plan, target.hardware, target.capabilities);
    for (const LowerOptions& way : ways) {
      Simulated found = simulate_by(way, plan, target);
      const std::int64_t bytes = bytes_per_rank(found.schedule);
      if (!smallest || bytes < smallest->bytes_per_rank) smallest = {way, found.timeline.makespan_ps, bytes};
      if (!compile.plan.memory_bytes || bytes <= *compile.plan.memory_bytes)
        consider(way, std::move(found), plan, bytes, fastest);
    }
  }
  if (fastest.plan == nullptr)
    refuse_memory(plans.front(), smallest->lower, smallest->bytes_per_rank, *compile.plan.memory_bytes, target.hardware,
                  target.capabilities);
  std::ranges::stable_sort(fastest.candidates, {}, &Candidate::makespan_ps);
  return fastest;
}

}  // namespace meshmul::cli
