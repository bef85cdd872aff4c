#pragma once
// Large meshes by one group of ranks: groups that exchange nothing and share nothing run each as if it were alone.

#include <cstdint>
#include <string>

#include "meshmul/hardware.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/simulate.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

/// One of several groups of ranks that do the same, as a plan of its own: lower it, legalize it, and simulate it on
/// `hardware` and `topology`. Every op then runs when it would in a simulation of all ranks.
struct Representative {
  /// Its mesh has size 1 along the axes that keep groups apart, and its arrays are what the group at their coordinate 0
  /// holds. Costs are those of the whole plan, which are of one device.
  Plan plan;
  Hardware hardware;  ///< without a slice
  Topology topology;
  std::int64_t num_groups = 1;
};

/// The group at coordinate 0 of every mesh axis that keeps groups apart. Such an axis
///   - takes part in no move, but for slices of an input that nothing else is done to;
///   - cuts evenly, so that all groups hold as much;
///   - keeps them off each other's links, ports, cores, memories and chips.
/// Where there is no such axis, the one group is the whole mesh. `topology` is that of the mesh of `plan`.
Representative representative(const Plan& plan, const Hardware& hardware, const Topology& topology,
                              const SimulateOptions& options = {});

/// `one of 512 identical groups of 16 ranks`
std::string group_phrase(const Representative& group);

}  // namespace meshmul
