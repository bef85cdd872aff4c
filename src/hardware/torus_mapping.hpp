#pragma once
// Mesh axes on the axes of a torus: each takes whole hardware axes, or one cycle through several.

#include <optional>
#include <vector>

#include "hardware/mapping_fault.hpp"
#include "hardware/slices.hpp"
#include "meshmul/topology.hpp"

namespace meshmul {

/// A torus as the cost model sees it: the axes of a slice, those that close to rings marked by rule.
std::vector<TorusAxis> torus_axes(const Hardware& hardware, const Slice& slice, TopologyRule rule);

/// The axes longer than 1 that `mapping` names, all of them in `axes`.
std::vector<TorusAxis> grid_of(const AxisMapping& mapping, const std::vector<TorusAxis>& axes);
std::int64_t num_devices(const std::vector<TorusAxis>& grid);

/// Whether a cycle leads once through every device of the grid. Two or more axes of at least 2 have one if their product
/// is even (rows to and fro in all columns but one, which leads back) or if one of them wraps: then the last row may end
/// anywhere. A single axis has one if it wraps.
bool has_cycle(const std::vector<TorusAxis>& grid);

/// The first reason why `mapping` does not lay `mesh`, which has as many devices, on `axes`, those of a slice.
std::optional<MappingFault> find_torus_fault(const Mapping& mapping, const Mesh& mesh,
                                             const std::vector<TorusAxis>& axes);

/// `mapping` has no fault.
Topology torus_topology(const Mapping& mapping, const std::vector<TorusAxis>& axes);

/// All mappings without a fault, but one where hardware axes are alike. `axes` make as many devices as `mesh`.
std::vector<Mapping> torus_mappings(const Mesh& mesh, const std::vector<TorusAxis>& axes);

/// Meshes with the axes of `mesh` that lie on such a torus: those whose sizes are nearest, at most two.
std::vector<Mesh> nearest_meshes(const Mesh& mesh, const std::vector<TorusAxis>& axes);

}  // namespace meshmul
