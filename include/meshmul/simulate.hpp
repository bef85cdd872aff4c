#pragma once
// Predicts when every op of a schedule runs on a machine: events in whole picoseconds on the schedule itself.

#include "meshmul/cost_model.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

struct SimulateOptions {
  /// Of these count: `both_ways` (which way bytes may go round a ring), `latency` (kNone: hops are free; else each costs
  /// its time), `efficiency`, and `count` (kLimit: products are not padded). What the network does follows from events,
  /// not from formulas.
  CostSettings cost;
  /// Bytes leave a device on their way only once all of them have come. Otherwise they cut through: the next link begins
  /// as soon as their head is there.
  bool store_and_forward = false;
  // Ranks that follow each other share one of these.
  int ranks_per_core = 1;    ///< it does one op at a time
  int ranks_per_memory = 1;  ///< it serves one op after the other
  int ranks_per_chip = 1;    ///< core, memory, copy engines and links or port, all of these
  bool operator==(const SimulateOptions&) const = default;
};

/// Runs `schedule`, as a backend would get it, on the devices of `hardware`, on which its mesh lies as `topology` says;
/// docs/simulation.md has the rules. Equal arguments give equal timelines.
/// Throws Error(kInvalidArgument) if the schedule is not well-formed or stalls (with the finding of `verify`), if the chip
/// has no rate for a product, for a number of sharing ranks below 1, for a topology of another mesh, and for a schedule
/// that runs for weeks.
Timeline simulate(const Schedule& schedule, const Hardware& hardware, const Topology& topology,
                  const SimulateOptions& options = {});

/// The topology that `plan` was priced on.
Topology topology_of(const Plan& plan, const Hardware& hardware);
Topology topology_of(const ProgramPlan& plan, const Hardware& hardware);

}  // namespace meshmul
