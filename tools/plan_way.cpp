#include "plan_way.hpp"

#include <algorithm>
#include <cstdint>
#include <variant>
#include <vector>

#include "meshmul/simulate.hpp"

namespace meshmul::cli {
namespace {

template <class Steps>
std::int64_t num_moves(const Steps& steps) {
  return std::ranges::count_if(steps, [](const auto& step) { return std::holds_alternative<Move>(step); });
}
std::int64_t num_moves(const Plan& plan) { return num_moves(plan.steps); }
std::int64_t num_moves(const ProgramPlan& plan) {
  std::int64_t moves = 0;
  for (const PlannedPart& part : plan.best.parts) moves += part.times * num_moves(part.steps);
  return moves;
}

/// Whether all ways to build it are simulated within a second or so: a move is of so many messages at most.
template <class AnyPlan>
bool is_small(const AnyPlan& plan) {
  constexpr std::int64_t kMostMessages = 10'000;
  const std::int64_t devices = plan.mesh.num_devices();
  return devices * devices <= kMostMessages / std::max<std::int64_t>(1, num_moves(plan));
}

LowerOptions asked_way(const Plan& plan, const CompileOptions& compile) { return applied(*compile.lower, plan); }
ProgramWay asked_way(const ProgramPlan& plan, const CompileOptions& compile) {
  return applied(*compile.lower, compile.products, plan);
}

std::vector<Candidate> all_ways(const Plan& plan, const Hardware& hardware, const Capabilities& available,
                                const CompileOptions&) {
  return tune(plan, hardware, available, {.cost = plan.cost});
}
std::vector<ProgramCandidate> all_ways(const ProgramPlan& plan, const Hardware& hardware, const Capabilities& available,
                                       const CompileOptions& compile) {
  return tune(plan, hardware, available, {.cost = plan.cost}, compile.plan.memory_bytes);
}

template <class Way, class AnyPlan>
std::optional<CandidateOf<Way>> find_way(const AnyPlan& plan, const Hardware& hardware, const Capabilities& available,
                                         const CompileOptions& compile) {
  if (compile.lower) {
    CandidateOf<Way> asked{asked_way(plan, compile)};
    if (!is_small(plan)) return asked;
    const Schedule schedule = legalize(lower(plan, asked.lower), available);
    asked.bytes_per_rank = bytes_per_rank(schedule);
    asked.makespan_ps = simulate(schedule, hardware, topology_of(plan, hardware), {.cost = plan.cost}).makespan_ps;
    return asked;
  }
  if (!is_small(plan) || ways_to_build(plan, hardware, available).size() == 1) return std::nullopt;
  for (const CandidateOf<Way>& candidate : all_ways(plan, hardware, available, compile))
    if (!compile.plan.memory_bytes || candidate.bytes_per_rank <= *compile.plan.memory_bytes) return candidate;
  return std::nullopt;
}

}  // namespace

std::optional<Candidate> way_to_build(const Plan& plan, const Hardware& hardware, const Capabilities& available,
                                      const CompileOptions& compile) {
  return find_way<LowerOptions>(plan, hardware, available, compile);
}

std::optional<ProgramCandidate> way_to_build(const ProgramPlan& plan, const Hardware& hardware,
                                             const Capabilities& available, const CompileOptions& compile) {
  return find_way<ProgramWay>(plan, hardware, available, compile);
}

}  // namespace meshmul::cli
