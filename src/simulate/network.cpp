#include "network.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"
#include "switch_network.hpp"
#include "torus_network.hpp"

namespace meshmul::simulation {
namespace {

std::int64_t devices_along(const Topology& topology, std::size_t axis) {
  if (topology.kind == NetworkKind::kSwitch) return topology.in_node[axis] * topology.across_nodes[axis];
  std::int64_t devices = 1;
  for (const TorusAxis& part : topology.torus[axis]) devices *= part.size;
  return devices;
}

void check_fits_topology(const Mesh& mesh, const Topology& topology) {
  const auto num_axes = static_cast<std::size_t>(mesh.num_axes());
  const bool is_torus = topology.kind == NetworkKind::kTorus;
  bool fits = is_torus ? topology.torus.size() == num_axes
                       : topology.in_node.size() == num_axes && topology.across_nodes.size() == num_axes;
  for (std::size_t axis = 0; fits && axis < num_axes; ++axis)
    fits = devices_along(topology, axis) == mesh.axes()[axis].size;
  if (!fits)
    throw Error(ErrorCode::kInvalidArgument, fmt::format("the topology is not that of the mesh {}", mesh.str()));
}

}  // namespace

std::unique_ptr<Network> make_network(const Mesh& mesh, const Hardware& hardware, const Topology& topology,
                                      const SimulateOptions& options) {
  check_fits_topology(mesh, topology);
  if (topology.kind == NetworkKind::kTorus) return std::make_unique<TorusNetwork>(mesh, hardware, topology, options);
  return std::make_unique<SwitchNetwork>(mesh, hardware, topology, options);
}

}  // namespace meshmul::simulation
