#pragma once
// What prices depend on: hardware, how a mesh lies on it, and what counts.

#include "meshmul/cost_model.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

struct Machine {
  const Hardware& hardware;
  CostSettings cost;
  Topology topology;  ///< of the mesh
};

/// The settings of the book: every mesh axis a ring of its own, or all on one switch.
Machine book_machine(const Mesh& mesh, const Hardware& hardware);

}  // namespace meshmul
