#pragma once
// How the axes of a mesh lie on the axes of the hardware, and what each mesh axis is then: rings, lines, or a part of a
// switch.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/cost_model.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {

/// Where one mesh axis lies.
struct AxisMapping {
  std::vector<int> hardware_axes;  ///< by number, major to minor; none for a mesh axis of size 1
  bool as_ring = false;            ///< one cycle through all of them instead of an axis each

  bool operator==(const AxisMapping&) const = default;
};

/// By mesh axis. Two mesh axes never share an axis of a torus; on a switch, and in a node, they divide it, the last one
/// fastest.
struct Mapping {
  std::vector<AxisMapping> axes;

  bool operator==(const Mapping&) const = default;
};

/// Reads `X=0+1,Y=2` or `X=ring(0+1),Y=2`; axes of size 1 may be left out. Throws Error(kInvalidArgument) with the
/// place of what is wrong: an unknown or repeated mesh axis, a hardware axis used twice, a mesh axis without a place.
Mapping parse_mapping(std::string_view text, const Mesh& mesh);
/// `X=0+1,Y=2`; `parse_mapping` reads it back.
std::string to_string(const Mapping& mapping, const Mesh& mesh);

/// One dimension of a torus along which a mesh axis runs.
struct TorusAxis {
  std::int64_t size = 1;
  bool wraps = false;

  bool operator==(const TorusAxis&) const = default;
};

/// What prices depend on. Axes of size 1 have no entries.
struct Topology {
  NetworkKind kind = NetworkKind::kTorus;
  std::vector<std::vector<TorusAxis>> torus;  ///< by mesh axis; empty for a switch
  /// Switch: by mesh axis, how many of its devices are in one node, and how many nodes it spans; their product is its
  /// size. Everything is in one node where the hardware has no nodes.
  std::vector<std::int64_t> in_node, across_nodes;

  bool operator==(const Topology&) const = default;
};

/// Throws Error(kInvalidArgument) if `mapping` does not fit: sizes whose product is not that of the mesh axis (says
/// both), a hardware axis that does not exist, a cycle that no grid of these sizes has (all odd, or a single line).
/// `hardware.slice` must not be empty unless the topology rule makes it irrelevant.
Topology resolve(const Mapping& mapping, const Mesh& mesh, const Hardware& hardware, TopologyRule rule);

/// A slice and the ways to lay `mesh` on it that differ in their topology, at least one. Without a slice in `hardware`:
/// over all slices that the chip comes in with as many devices as the mesh. Throws Error(kInvalidArgument) if there is
/// none, naming the nearest.
struct Placement {
  std::vector<std::int64_t> slice;
  Mapping mapping;
  Topology topology;
};
std::vector<Placement> placements(const Mesh& mesh, const Hardware& hardware, TopologyRule rule);

}  // namespace meshmul
