#pragma once
// Prices of moves and of local products: the `book` model of docs/cost-model.md (wraparound, bandwidth limit, maximum
// of bandwidth and latency). Every formula stands in cost.cpp under its number there.

#include <array>

#include "meshmul/hardware.hpp"
#include "meshmul/plan.hpp"
#include "plan/packed_sharding.hpp"

namespace meshmul {

/// The bytes that the formulas of a move call V (v for an exchange), from those of the largest shard before and after:
/// a gather counts the gathered array, a reduction the partial one, an exchange what one device holds.
double payload_bytes(MoveKind kind, double from_bytes, double to_bytes);

class CostModel {
 public:
  CostModel(const AxisNumbering& axes, const Hardware& hardware);

  /// Seconds of a move along `travelled`, a multiple of 2^-48: sums of them are exact up to 32 s, so that ways that
  /// cost the same in another order tie.
  double seconds(MoveKind kind, AxisSet travelled, double payload_bytes) const;
  /// Bytes that each device sends over its links, forwarded ones counted again.
  double sent_bytes(MoveKind kind, AxisSet travelled, double payload_bytes) const;
  /// Both, with hops and bound.
  StepCost move(MoveKind kind, AxisSet travelled, double payload_bytes) const;

  /// The larger of computing and of moving `memory_bytes` (both inputs and the result) between chip and memory.
  StepCost product(double flops_per_second, double flops, double memory_bytes) const;

 private:
  /// What one byte of payload costs a family of moves along one set of axes.
  struct Rate {
    double seconds_per_byte = 0;
    double sent_per_byte = 0;
    double hops = 0;
  };
  struct Rates {
    Rate gather, exchange, redistribute;
  };

  static Rates torus_rates(const AxisNumbering& axes, AxisSet travelled, const Network& network);
  static Rates switch_rates(const AxisNumbering& axes, AxisSet travelled, const Network& network);
  const Rate& rate(MoveKind kind, AxisSet travelled) const;

  std::array<Rates, kNumAxisSets> rates_{};
  double hop_seconds_;
  double memory_bytes_per_second_;
};

}  // namespace meshmul
