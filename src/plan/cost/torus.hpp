#pragma once
// Collectives over rings and lines of a torus.

#include <span>

#include "meshmul/hardware.hpp"
#include "meshmul/topology.hpp"
#include "plan/cost/charge.hpp"

namespace meshmul {

/// Charges along `axes`, at least one of them, each longer than 1. docs/cost-model.md, formulas (1) to (4).
Charges torus_charges(std::span<const TorusAxis> axes, const Network& network, const CostSettings& settings);

}  // namespace meshmul
