#pragma once
// Which mesh axes keep groups of ranks apart, so that each group runs as if it were alone.

#include <vector>

#include "meshmul/plan.hpp"
#include "meshmul/simulate.hpp"
#include "meshmul/topology.hpp"

namespace meshmul::simulation {

/// By mesh axis. Axes of size 1 are among them.
using AxisSet = std::vector<bool>;

/// How many slices make an input ready for the product, if nothing else does; else 0. They are free views of what is there.
std::size_t num_slices(const Plan& plan, Operand operand);

/// Each takes part in no move, but for slices that make an input ready; cuts evenly, so that all groups hold as
/// much; and its groups share no link and no port, and by `options` no core, no memory and no chip.
AxisSet separate_axes(const Plan& plan, const Topology& topology, const SimulateOptions& options);

}  // namespace meshmul::simulation
