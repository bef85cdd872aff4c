#include "plan/cost.hpp"

#include <algorithm>
#include <cassert>

namespace meshmul {
namespace {

/// To the nearest multiple of 2^-48 (3.6 fs): next to a number of 16 or more, doubles are that far apart.
double rounded(double seconds) {
  constexpr double kAnchor = 24;
  return (seconds + kAnchor) - kAnchor;
}

/// An AllReduce is a ReduceScatter and an AllGather: formulas (2) and (6).
double times(MoveKind kind) { return kind == MoveKind::kAllReduce ? 2 : 1; }

bool is_free(MoveKind kind) { return kind == MoveKind::kSlice || kind == MoveKind::kUnreduce; }

bool is_point_to_point(MoveKind kind) { return kind == MoveKind::kRedistribute || kind == MoveKind::kPermute; }

}  // namespace

double payload_bytes(MoveKind kind, double from_bytes, double to_bytes) {
  switch (kind) {
    case MoveKind::kReduceScatter:
    case MoveKind::kAllReduce: return from_bytes;
    case MoveKind::kAllToAll: return std::max(from_bytes, to_bytes);
    case MoveKind::kAllGather:
    case MoveKind::kPermute:
    case MoveKind::kRedistribute: return to_bytes;
    case MoveKind::kSlice:
    case MoveKind::kUnreduce: return 0;
  }
  __builtin_unreachable();
}

// docs/cost-model.md, formulas (1), (3), (4). Each axis is a ring; W = 2 w counts both directions of its links.
CostModel::Rates CostModel::torus_rates(const AxisNumbering& axes, AxisSet travelled, const Network& network) {
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
  const Rate gather{1 / (num_axes * ring_bytes_per_second), 1, sum / 2};
  // (3) v max(X1, X2, …) / (4 W): a block goes X / 4 hops along an axis on average.
  const Rate exchange{longest / 4 / ring_bytes_per_second, sum / 4, half_way_hops};
  // (4) As (3), but a device receives no faster than over all its links.
  const Rate redistribute{std::max(gather.seconds_per_byte, exchange.seconds_per_byte),
                          std::max(gather.sent_per_byte, exchange.sent_per_byte), gather.hops};
  return {gather, exchange, redistribute};
}

// docs/cost-model.md, formulas (5), (7), (8). All axes share the one port of a device; w counts one direction.
CostModel::Rates CostModel::switch_rates(const AxisNumbering& axes, AxisSet travelled, const Network& network) {
  const auto group = static_cast<double>(axes.size(travelled));
  const double others = (group - 1) / group;
  // (5) and (7): all but the device's own part of V, or of v, leaves through its port.
  const Rate all_but_own{others / network.link_bytes_per_second, others, 1};
  // (8) Everything may have to come from elsewhere.
  const Rate redistribute{1 / network.link_bytes_per_second, 1, 1};
  return {all_but_own, all_but_own, redistribute};
}

CostModel::CostModel(const AxisNumbering& axes, const Hardware& hardware)
    : hop_seconds_(hardware.network.hop_seconds), memory_bytes_per_second_(hardware.chip.memory_bytes_per_second) {
  const bool torus = hardware.network.kind == NetworkKind::kTorus;
  for (unsigned travelled = 1; travelled <= axes.all(); ++travelled)
    rates_[travelled] = torus ? torus_rates(axes, static_cast<AxisSet>(travelled), hardware.network)
                              : switch_rates(axes, static_cast<AxisSet>(travelled), hardware.network);
}

const CostModel::Rate& CostModel::rate(MoveKind kind, AxisSet travelled) const {
  const Rates& rates = rates_[travelled];
  if (kind == MoveKind::kAllToAll) return rates.exchange;
  return is_point_to_point(kind) ? rates.redistribute : rates.gather;
}

double CostModel::seconds(MoveKind kind, AxisSet travelled, double payload_bytes) const {
  if (is_free(kind) || travelled == 0) return 0;
  const Rate& r = rate(kind, travelled);
  const double bandwidth_seconds = times(kind) * payload_bytes * r.seconds_per_byte;
  const double latency_seconds = times(kind) * r.hops * hop_seconds_;
  // One message to one peer waits for its latency as well; a collective hides it behind the bytes already under way.
  return rounded(is_point_to_point(kind) ? bandwidth_seconds + latency_seconds
                                         : std::max(bandwidth_seconds, latency_seconds));
}

double CostModel::sent_bytes(MoveKind kind, AxisSet travelled, double payload_bytes) const {
  if (is_free(kind) || travelled == 0) return 0;
  return times(kind) * payload_bytes * rate(kind, travelled).sent_per_byte;
}

StepCost CostModel::move(MoveKind kind, AxisSet travelled, double payload_bytes) const {
  StepCost cost;
  if (is_free(kind) || travelled == 0) return cost;
  const Rate& r = rate(kind, travelled);
  cost.seconds = seconds(kind, travelled, payload_bytes);
  cost.bytes = sent_bytes(kind, travelled, payload_bytes);
  cost.hops = times(kind) * r.hops;
  cost.bound = payload_bytes * r.seconds_per_byte < r.hops * hop_seconds_ ? Bound::kLatency : Bound::kBandwidth;
  return cost;
}

// docs/cost-model.md, formula (9).
StepCost CostModel::product(double flops_per_second, double flops, double memory_bytes) const {
  StepCost cost;
  cost.flops = flops;
  const double compute_seconds = flops / flops_per_second;
  const double memory_seconds = memory_bytes / memory_bytes_per_second_;
  cost.seconds = rounded(std::max(compute_seconds, memory_seconds));
  if (cost.seconds > 0) cost.bound = compute_seconds < memory_seconds ? Bound::kMemory : Bound::kCompute;
  return cost;
}

}  // namespace meshmul
