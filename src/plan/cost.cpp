#include "plan/cost.hpp"

#include "plan/cost/switch.hpp"
#include "plan/cost/torus.hpp"

namespace meshmul {
namespace {

Charges on_torus(const std::vector<int>& mesh_axes, const Machine& machine) {
  std::vector<TorusAxis> axes;
  for (const int axis : mesh_axes) {
    const std::vector<TorusAxis>& lain_on = machine.placement.topology.torus[static_cast<std::size_t>(axis)];
    axes.insert(axes.end(), lain_on.begin(), lain_on.end());
  }
  return torus_charges(axes, machine.hardware.network, machine.cost);
}

Charges on_switch(const std::vector<int>& mesh_axes, const Machine& machine) {
  const Topology& topology = machine.placement.topology;
  NodeGroup group;
  for (const int axis : mesh_axes) {
    group.devices *= static_cast<double>(topology.in_node[static_cast<std::size_t>(axis)]);
    group.nodes *= static_cast<double>(topology.across_nodes[static_cast<std::size_t>(axis)]);
  }
  for (const std::int64_t devices : topology.in_node) group.groups_in_node *= static_cast<double>(devices);
  group.groups_in_node /= group.devices;
  return switch_charges(group, machine.hardware.network, machine.cost);
}

}  // namespace

CostModel::CostModel(const AxisNumbering& axes, const Machine& machine)
    : rates_(axes.all() + 1),
      is_measured_(machine.cost.measured_bandwidth),
      measured_(is_measured_ ? MeasuredRates(machine.hardware.network) : MeasuredRates()) {
  const auto rate_of = [&](const Charge& charge, bool waits_for_latency) {
    Rate rate{.seconds_per_byte = charge.seconds_per_byte,
              .sent_per_byte = charge.sent_per_byte,
              .link_per_byte = charge.link_per_byte,
              .hops = charge.hops};
    if (machine.cost.latency != LatencyRule::kNone)
      (waits_for_latency ? rate.exposed_latency_seconds : rate.hidden_latency_seconds) = charge.latency_seconds;
    return rate;
  };
  for (AxisSet travelled = 1; travelled <= axes.all(); ++travelled) {
    const std::vector<int> mesh_axes = axes.unpack(travelled);
    const auto [gather, all_reduce, exchange, message] = machine.placement.topology.kind == NetworkKind::kTorus
                                                             ? on_torus(mesh_axes, machine)
                                                             : on_switch(mesh_axes, machine);
    const auto rate = [&](MoveKind kind) -> Rate& { return rates_[travelled][static_cast<std::size_t>(kind)]; };
    // Under `max` a collective hides its latency behind bytes already under way; a message to one peer never does.
    const bool sum = machine.cost.latency == LatencyRule::kSum;
    rate(MoveKind::kAllGather) = rate(MoveKind::kReduceScatter) = rate_of(gather, sum);
    rate(MoveKind::kAllReduce) = rate_of(all_reduce, sum);
    rate(MoveKind::kAllToAll) = rate_of(exchange, sum);
    rate(MoveKind::kRedistribute) = rate(MoveKind::kPermute) = rate_of(message, true);
    for (const MoveKind kind : {MoveKind::kAllToAll, MoveKind::kRedistribute, MoveKind::kPermute})
      rate(kind).whole_per_byte = static_cast<double>(axes.size(travelled));
  }
}

StepCost CostModel::move(MoveKind kind, AxisSet travelled, double payload_bytes) const {
  const Rate& r = rate(kind, travelled);
  StepCost cost;
  const auto [seconds, sent_bytes] = price(kind, travelled, payload_bytes);
  cost.seconds = seconds;
  cost.byte_seconds = seconds_of_bytes(kind, r, payload_bytes);
  cost.hop_seconds = r.hidden_latency_seconds + r.exposed_latency_seconds;
  cost.bytes = sent_bytes;
  cost.link_bytes = payload_bytes * r.link_per_byte;
  cost.hops = r.hops;
  if (cost.seconds > 0) cost.bound = cost.byte_seconds < cost.hop_seconds ? Bound::kLatency : Bound::kBandwidth;
  return cost;
}

}  // namespace meshmul
