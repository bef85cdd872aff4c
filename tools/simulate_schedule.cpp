#include "simulate_schedule.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace meshmul::cli {
namespace {

/// The ways to lay `mesh` on `hardware` that may be taken: one, if the options name it.
std::vector<Placement> placements_to_try(const Mesh& mesh, const Hardware& hardware, const PlanOptions& model) {
  if (!model.mapping) return placements(mesh, hardware, model.cost.topology);
  return {{hardware.slice, *model.mapping, resolve(*model.mapping, mesh, hardware, model.cost.topology)}};
}

}  // namespace

PlacedTimeline simulate_placed(const Schedule& schedule, const Hardware& hardware, const ModelOptions& model,
                               SimulateOptions options) {
  PlanOptions read = read_model(model, schedule.contract.mesh, hardware);
  options.cost = read.cost;
  std::optional<PlacedTimeline> best;
  for (const Placement& candidate : placements_to_try(schedule.contract.mesh, hardware, read)) {
    Timeline found = simulate(schedule, hardware, candidate.topology, options);
    if (best && found.makespan_ps >= best->timeline.makespan_ps) continue;
    best = {read, candidate, std::move(found)};
  }
  return *std::move(best);
}

}  // namespace meshmul::cli
