#pragma once
// A plan, built in one way and simulated: whole, or one group of ranks for all.

#include <array>
#include <optional>
#include <string>

#include "meshmul/lower.hpp"
#include "meshmul/representative.hpp"
#include "meshmul/simulate.hpp"

namespace meshmul::cli {

/// Those that collectives can be built by.
inline constexpr std::array kBuiltAlgorithms{Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays};

/// What the schedule of a plan is made for, and what counts when it runs.
struct SimulateTarget {
  const Hardware& hardware;
  Capabilities capabilities;
  SimulateOptions options;
  /// One of the groups of ranks that have nothing to do with each other stands for all of them. So it does for meshes
  /// larger than schedules are written for.
  bool one_group = false;
};

/// A schedule, and when its ops run.
struct Simulated {
  std::string way = {};  ///< in which it was built; empty if it was read
  Schedule schedule = {};
  Timeline timeline = {};
  std::optional<Representative> group = {};  ///< that this is, if it is not all
};

/// `one of 512 identical groups of 16 ranks of the mesh X=16,Y=512`, and why one is enough.
std::string note(const Representative& group, const Mesh& whole);

/// `plan`, built in one way. Throws Error(kInvalidArgument) if even one group is larger than schedules are written for.
Simulated simulate_by(const LowerOptions& way, const Plan& plan, const SimulateTarget& target);

}  // namespace meshmul::cli
