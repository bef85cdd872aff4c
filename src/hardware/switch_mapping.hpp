#pragma once
// Mesh axes on a switch, and on nodes of a switch each: every axis has some devices of a node and spans some nodes.

#include <optional>
#include <vector>

#include "hardware/mapping_fault.hpp"
#include "hardware/slices.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

/// The hardware axes of a switch.
enum SwitchAxis : int { kNodeAxis = 0, kDeviceAxis = 1 };

/// The first reason why `mapping` does not lay `mesh` on nodes of `grid`, which have as many devices.
std::optional<MappingFault> find_switch_fault(const Mapping& mapping, const Mesh& mesh, const NodeGrid& grid);

/// `mapping` has no fault.
Topology switch_topology(const Mapping& mapping, const Mesh& mesh, const NodeGrid& grid);

/// Mappings that differ in their topology, with every axis on as few hardware axes as it can; the first lays the mesh
/// row-major, the last axis fastest.
std::vector<Mapping> switch_mappings(const Mesh& mesh, const NodeGrid& grid);

}  // namespace meshmul
