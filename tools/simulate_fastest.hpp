#pragma once
// Which placement of the mesh, and which way to build the plan there, is the fastest in simulation.

#include <vector>

#include "meshmul/compile.hpp"
#include "simulate_plan.hpp"

namespace meshmul::cli {

/// The plans of `statement` on all placements of the mesh that the planner prices alike, the one that it takes first; on the
/// one that `options` name, if they do. How well a placement serves a way to build a plan shows in simulation alone.
std::vector<Plan> plans_to_try(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                               const PlanOptions& options);

/// A plan in the way and on the placement that are the fastest, and what the ways take that were tried, fastest first.
struct Fastest {
  const Plan* plan = nullptr;
  Simulated simulated;
  std::vector<Candidate> candidates;
};

/// Among `plans`, those of one statement on several placements, and the ways to build them, or the one that `compile`
/// names; of equally fast ones the first. Throws Error(kInvalidArgument) if none fits the memory that was stated, with the least
/// that would. Keeps a pointer into `plans`.
Fastest find_fastest(const std::vector<Plan>& plans, const CompileOptions& compile, const SimulateTarget& target);

}  // namespace meshmul::cli
