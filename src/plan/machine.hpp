#pragma once
// What prices depend on: hardware, how a mesh lies on it, and what counts.

#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

struct Machine {
  const Hardware& hardware;
  CostSettings cost;
  Placement placement;
};

/// One for every way to lay `mesh` on `hardware` that differs in what things cost, or for the mapping in `options`.
/// Throws Error(kInvalidArgument) if the mesh or the mapping does not fit the hardware, or the network cannot do what the
/// settings ask of it. They keep a reference to `hardware`.
std::vector<Machine> machines(const Mesh& mesh, const Hardware& hardware, const PlanOptions& options);

}  // namespace meshmul
