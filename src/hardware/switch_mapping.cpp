#include "hardware/switch_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace meshmul {
namespace {

bool lies_on(const AxisMapping& mapping, int hardware_axis) {
  return std::find(mapping.hardware_axes.begin(), mapping.hardware_axes.end(), hardware_axis) !=
         mapping.hardware_axes.end();
}

/// Which parts of a node the mesh axes have: those on it alone all their devices; then, the last one first, those that
/// span nodes as well as many as still fit.
Topology divide(const Mapping& mapping, const Mesh& mesh, const NodeGrid& grid) {
  Topology topology{NetworkKind::kSwitch, {}, {}, {}};
  topology.in_node.assign(mesh.axes().size(), 1);
  std::int64_t left = grid.devices_per_node;
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis)
    if (lies_on(mapping.axes[axis], kDeviceAxis) && !lies_on(mapping.axes[axis], kNodeAxis)) {
      topology.in_node[axis] = mesh.axes()[axis].size;
      left = left % topology.in_node[axis] == 0 ? left / topology.in_node[axis] : 1;
    }
  for (std::size_t axis = mapping.axes.size(); axis-- > 0;)
    if (lies_on(mapping.axes[axis], kDeviceAxis) && lies_on(mapping.axes[axis], kNodeAxis)) {
      topology.in_node[axis] = std::gcd(left, mesh.axes()[axis].size);
      left /= topology.in_node[axis];
    }
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis)
    topology.across_nodes.push_back(mesh.axes()[axis].size / topology.in_node[axis]);
  return topology;
}

std::int64_t product(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

/// Every way to lie on a node, on nodes, or on both, from the last mesh axis to the first.
class Search {
 public:
  Search(const Mesh& mesh, const NodeGrid& grid, std::vector<Mapping>& found)
      : mesh_(mesh), grid_(grid), mapping_{std::vector<AxisMapping>(mesh.axes().size())}, found_(found) {}

  /// `left` devices of a node and `nodes_left` nodes are without a mesh axis; the axes on both share them at the end.
  void assign(std::size_t num_axes, std::int64_t left, std::int64_t nodes_left) {
    if (num_axes == 0) return finish();
    const std::int64_t size = mesh_.axes()[num_axes - 1].size;
    std::vector<int>& place = mapping_.axes[num_axes - 1].hardware_axes;
    if (size == 1) return assign(num_axes - 1, left, nodes_left);
    if (left % size == 0) {
      place = {kDeviceAxis};
      assign(num_axes - 1, left / size, nodes_left);
    }
    if (std::gcd(left, size) > 1 && std::gcd(nodes_left, size) > 1) {
      place = {kNodeAxis, kDeviceAxis};
      assign(num_axes - 1, left, nodes_left);
    }
    if (nodes_left % size == 0) {
      place = {kNodeAxis};
      assign(num_axes - 1, left, nodes_left / size);
    }
    place.clear();
  }

 private:
  void finish() {
    const Topology topology = divide(mapping_, mesh_, grid_);
    if (product(topology.in_node) != grid_.devices_per_node) return;
    for (std::size_t axis = 0; axis < mapping_.axes.size(); ++axis) {
      const bool on_both = mapping_.axes[axis].hardware_axes.size() == 2;
      if (on_both && (topology.in_node[axis] == 1 || topology.across_nodes[axis] == 1)) return;
    }
    found_.push_back(mapping_);
  }

  const Mesh& mesh_;
  const NodeGrid& grid_;
  Mapping mapping_;
  std::vector<Mapping>& found_;
};

}  // namespace

std::optional<MappingFault> find_switch_fault(const Mapping& mapping, const Mesh& mesh, const NodeGrid& grid) {
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis) {
    const AxisMapping& part = mapping.axes[axis];
    if (part.as_ring) return MappingFault{"a switch has no cycles", axis, std::nullopt};
    for (std::size_t entry = 0; entry < part.hardware_axes.size(); ++entry) {
      const int number = part.hardware_axes[entry];
      if (number != kNodeAxis && number != kDeviceAxis)
        return MappingFault{
            fmt::format("a switch has no hardware axis {}: 0 are its nodes, 1 the devices of a node", number), axis,
            entry};
    }
    if (part.hardware_axes.empty() && mesh.axes()[axis].size > 1) return without_place(mesh, axis);
  }
  const Topology topology = divide(mapping, mesh, grid);
  if (product(topology.in_node) == grid.devices_per_node) return std::nullopt;
  return MappingFault{
      fmt::format("so the mesh {} has {} devices in each of {} nodes; the slice {}x{} has {} in each of {}", mesh.str(),
                  product(topology.in_node), product(topology.across_nodes), grid.num_nodes, grid.devices_per_node,
                  grid.devices_per_node, grid.num_nodes),
      std::nullopt, std::nullopt};
}

Topology switch_topology(const Mapping& mapping, const Mesh& mesh, const NodeGrid& grid) {
  return divide(mapping, mesh, grid);
}

std::vector<Mapping> switch_mappings(const Mesh& mesh, const NodeGrid& grid) {
  std::vector<Mapping> found;
  Search(mesh, grid, found).assign(mesh.axes().size(), grid.devices_per_node, grid.num_nodes);
  return found;
}

}  // namespace meshmul
