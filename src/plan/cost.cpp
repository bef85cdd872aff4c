#include "plan/cost.hpp"

namespace meshmul {
namespace {

/// What a network takes for a byte of payload, and how far the farthest byte goes.
struct Charge {
  double seconds_per_byte = 0;
  double sent_per_byte = 0;
  double hops = 0;
};

/// The charges along one set of axes: for gathering, for an exchange of all with all, and for messages from any device
/// to any other.
struct Charges {
  Charge gather, exchange, message;
};

// docs/cost-model.md, formulas (1), (3), (4). Each axis is a ring; W = 2 w counts both directions of its links.
Charges torus_charges(const AxisNumbering& axes, AxisSet travelled, const Network& network) {
  const double ring_bytes_per_second = 2 * network.link_bytes_per_second;
  double num_axes = 0;
  double longest = 0;
  double sum = 0;
  double half_way_hops = 0;
  for (std::size_t number = 0; number < axes.sizes().size(); ++number) {
    if ((travelled >> number & 1U) == 0) continue;
    const std::int64_t size = axes.sizes()[number];
    num_axes += 1;
    longest = std::max(longest, static_cast<double>(size));
    sum += static_cast<double>(size);
    half_way_hops += static_cast<double>(size / 2);
  }
  // (1) V / (n W), latency of (X1 + X2 + …) / 2 hops.
  const Charge gather{1 / (num_axes * ring_bytes_per_second), 1, sum / 2};
  // (3) v max(X1, X2, …) / (4 W): a block goes X / 4 hops along an axis on average.
  const Charge exchange{longest / 4 / ring_bytes_per_second, sum / 4, half_way_hops};
  // (4) As (3), but a device receives no faster than over all its links.
  const Charge message{std::max(gather.seconds_per_byte, exchange.seconds_per_byte),
                       std::max(gather.sent_per_byte, exchange.sent_per_byte), gather.hops};
  return {gather, exchange, message};
}

// docs/cost-model.md, formulas (5), (7), (8). All axes share the one port of a device; w counts one direction.
Charges switch_charges(const AxisNumbering& axes, AxisSet travelled, const Network& network) {
  const auto group = static_cast<double>(axes.size(travelled));
  const double others = (group - 1) / group;
  // (5) and (7): all but the device's own part of V, or of v, leaves through its port.
  const Charge all_but_own{others / network.link_bytes_per_second, others, 1};
  // (8) Everything may have to come from elsewhere.
  const Charge message{1 / network.link_bytes_per_second, 1, 1};
  return {all_but_own, all_but_own, message};
}

}  // namespace

CostModel::CostModel(const AxisNumbering& axes, const Hardware& hardware)
    : memory_bytes_per_second_(hardware.chip.memory_bytes_per_second) {
  const Network& network = hardware.network;
  const auto collective = [&](const Charge& charge, double times) {
    return Rate{times * charge.seconds_per_byte, times * charge.hops * network.hop_seconds, 0,
                times * charge.sent_per_byte, times * charge.hops};
  };
  for (AxisSet travelled = 1; travelled <= axes.all(); ++travelled) {
    const auto [gather, exchange, message] = network.kind == NetworkKind::kTorus
                                                 ? torus_charges(axes, travelled, network)
                                                 : switch_charges(axes, travelled, network);
    const auto rate_of = [&](MoveKind kind) -> Rate& { return rates_[travelled][static_cast<std::size_t>(kind)]; };
    rate_of(MoveKind::kAllGather) = rate_of(MoveKind::kReduceScatter) = collective(gather, 1);
    rate_of(MoveKind::kAllReduce) = collective(gather, 2);  // (2) and (6): a ReduceScatter and an AllGather
    rate_of(MoveKind::kAllToAll) = collective(exchange, 1);
    // A message to one peer waits for its latency as well; a collective hides it behind bytes already under way.
    rate_of(MoveKind::kRedistribute) = rate_of(MoveKind::kPermute) = {
        message.seconds_per_byte, 0, message.hops * network.hop_seconds, message.sent_per_byte, message.hops};
  }
}

StepCost CostModel::move(MoveKind kind, AxisSet travelled, double payload_bytes) const {
  const Rate& r = rate(kind, travelled);
  StepCost cost;
  const auto [seconds, sent_bytes] = price(kind, travelled, payload_bytes);
  cost.seconds = seconds;
  cost.bytes = sent_bytes;
  cost.hops = r.hops;
  const double latency_seconds = r.hidden_latency_seconds + r.exposed_latency_seconds;
  if (cost.seconds > 0)
    cost.bound = payload_bytes * r.seconds_per_byte < latency_seconds ? Bound::kLatency : Bound::kBandwidth;
  return cost;
}

// docs/cost-model.md, formula (9).
StepCost CostModel::product(double flops_per_second, double flops, double memory_bytes) const {
  StepCost cost;
  cost.flops = flops;
  const double compute_seconds = flops / flops_per_second;
  const double memory_seconds = memory_bytes / memory_bytes_per_second_;
  cost.seconds = rounded_seconds(std::max(compute_seconds, memory_seconds));
  if (cost.seconds > 0) cost.bound = compute_seconds < memory_seconds ? Bound::kMemory : Bound::kCompute;
  return cost;
}

}  // namespace meshmul
