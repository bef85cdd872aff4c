#include "plan/machine.hpp"

namespace meshmul {
namespace {

Topology one_ring_an_axis(const Mesh& mesh, NetworkKind kind) {
  Topology topology;
  topology.kind = kind;
  for (const MeshAxis& axis : mesh.axes()) {
    if (kind == NetworkKind::kSwitch) {
      topology.in_node.push_back(axis.size);
      topology.across_nodes.push_back(1);
    } else {
      topology.torus.emplace_back();
      if (axis.size > 1) topology.torus.back().push_back({axis.size, true});
    }
  }
  return topology;
}

}  // namespace

Machine book_machine(const Mesh& mesh, const Hardware& hardware) {
  Machine machine{hardware, *find_cost_model("book"), one_ring_an_axis(mesh, hardware.network.kind)};
  if (hardware.network.kind == NetworkKind::kSwitch) machine.cost.count = CountRule::kFinite;
  return machine;
}

}  // namespace meshmul
