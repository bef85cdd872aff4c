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

/// Where one mesh axis lies. Hardware axes are those of the slice, in its order; of a switch, 0 is its nodes and 1 the
/// devices of a node.
struct AxisMapping {
  std::vector<int> hardware_axes;  ///< by number, major to minor; none for a mesh axis of size 1
  bool as_ring = false;            ///< one cycle through all of them instead of an axis each

  bool operator==(const AxisMapping&) const = default;
};

/// By mesh axis; empty for no mapping. Two mesh axes never share an axis of a torus. On a switch they divide it, the last
/// one fastest: mesh axes that lie on 1 alone take their devices of a node, those on 0+1 what is left of it.
struct Mapping {
  std::vector<AxisMapping> axes;

  bool operator==(const Mapping&) const = default;
};

/// Reads `X=0+1,Y=2` or `X=ring(0+1),Y=2`; axes of size 1 may be left out. Throws Error(kInvalidArgument) with the
/// place of what is wrong: the text, an unknown or repeated mesh axis, a mesh axis without a place, and all that
/// `resolve` refuses.
Mapping parse_mapping(std::string_view text, const Mesh& mesh, const Hardware& hardware, TopologyRule rule);
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
  /// size. Everything is in one node where the hardware has no nodes. Empty for a torus.
  std::vector<std::int64_t> in_node, across_nodes;

  bool operator==(const Topology&) const = default;
};

/// The slice is that of `hardware`; without one, the only one with as many devices as `mesh`.
/// Throws Error(kInvalidArgument) if `mapping` does not fit: a hardware axis that does not exist or is used twice, sizes
/// whose product is not that of the mesh axis (says both), a cycle that no grid of these sizes has (an odd number of
/// devices, or a single line), no slice, or several.
Topology resolve(const Mapping& mapping, const Mesh& mesh, const Hardware& hardware, TopologyRule rule);

/// A slice, and a way to lay a mesh on it.
struct Placement {
  std::vector<std::int64_t> slice;  ///< empty: no slice in particular, each mesh axis is an axis of its own
  Mapping mapping;                  ///< empty then
  Topology topology;
};

/// The ways to lay `mesh` on the slice of `hardware` that differ in their topology, at least one, in a fixed order. Without
/// a slice: by kSlice, over all that the chip comes in with as many devices as the mesh; by kWrap and kLine, the one
/// way in which each mesh axis is an axis of its own. That also holds for one device, and for a torus whose profile says
/// nothing of slices. (A switch has slices by every rule.)
/// Throws Error(kInvalidArgument) if there is none, naming the nearest slices or meshes.
std::vector<Placement> placements(const Mesh& mesh, const Hardware& hardware, TopologyRule rule);

}  // namespace meshmul
