#pragma once
// A plan, simulated by each of several algorithms.

#include <array>
#include <cstdint>
#include <vector>

#include "meshmul/lower.hpp"
#include "meshmul/simulate.hpp"

namespace meshmul::cli {

/// Those that collectives can be built by.
inline constexpr std::array kBuiltAlgorithms{Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays};

/// What the schedule of a plan is made for, and what counts when it runs.
struct SimulateTarget {
  const Hardware& hardware;
  Capabilities capabilities;
  SimulateOptions options;
};

/// A schedule, and when its ops run.
struct Simulated {
  Algorithm algorithm = Algorithm::kAutomatic;
  Schedule schedule;
  Timeline timeline;
};

/// `plan` by one algorithm.
Simulated simulate_by(Algorithm algorithm, const Plan& plan, const SimulateTarget& target);

}  // namespace meshmul::cli
