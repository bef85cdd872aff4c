#include "simulate_plan.hpp"

#include <utility>

namespace meshmul::cli {

Simulated simulate_by(Algorithm algorithm, const Plan& plan, const SimulateTarget& target) {
  Schedule schedule = legalize(lower(plan, {algorithm}), target.capabilities);
  Timeline timeline = simulate(schedule, target.hardware, topology_of(plan, target.hardware), target.options);
  return {algorithm, std::move(schedule), std::move(timeline)};
}

}  // namespace meshmul::cli
