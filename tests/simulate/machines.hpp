#pragma once
// Machines whose memory takes no time, so that a collective takes what its links take; and collectives on them.

#include <string>
#include <string_view>
#include <vector>

#include "meshmul/collectives.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/simulate.hpp"
#include "schedule/move_cases.hpp"

namespace meshmul::testing {

inline constexpr double kLinkRate = 1e9;  // bytes per second: a byte takes 1000 ps

/// A torus or switch without latency.
inline Hardware machine(NetworkKind kind) {
  Hardware hardware;
  hardware.name = "test";
  hardware.chip.flops_per_second = {{Dtype::kF32, 1e12}};
  hardware.chip.memory_bytes_per_second = 1e24;
  hardware.network.kind = kind;
  hardware.network.link_bytes_per_second = kLinkRate;
  hardware.network.hop_seconds = 1e-6;
  return hardware;
}

/// One axis of a torus for each mesh axis.
inline Topology torus(const Mesh& mesh, bool wraps) {
  Topology topology;
  for (const MeshAxis& axis : mesh.axes()) topology.torus.push_back({{axis.size, wraps}});
  return topology;
}

/// All devices on one switch.
inline Topology one_switch(const Mesh& mesh) {
  Topology topology;
  topology.kind = NetworkKind::kSwitch;
  for (const MeshAxis& axis : mesh.axes()) {
    topology.in_node.push_back(axis.size);
    topology.across_nodes.push_back(1);
  }
  return topology;
}

inline Schedule collective(MoveKind kind, std::string_view statement, std::string_view mesh, Algorithm algorithm) {
  return lower(one_move(kind, statement, mesh), {algorithm});
}

inline SimulateOptions without_latency() {
  SimulateOptions options;
  options.cost.latency = LatencyRule::kNone;
  return options;
}

}  // namespace meshmul::testing
