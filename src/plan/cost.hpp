#pragma once
// Prices of moves and of local products: the `book` model of docs/cost-model.md (wraparound, bandwidth limit, maximum
// of bandwidth and latency). Every formula stands in cost.cpp under its number there.

#include <algorithm>
#include <array>

#include "meshmul/hardware.hpp"
#include "meshmul/plan.hpp"
#include "plan/packed_sharding.hpp"

namespace meshmul {

inline constexpr std::size_t kNumMoveKinds = static_cast<std::size_t>(MoveKind::kUnreduce) + 1;

/// The bytes that the formulas call V or v, from those of the largest shard before and after: a reduction counts the
/// partial array, everything else what a device holds afterwards.
inline double payload_bytes(MoveKind kind, double from_bytes, double to_bytes) {
  return kind == MoveKind::kReduceScatter || kind == MoveKind::kAllReduce ? from_bytes : to_bytes;
}

/// To 40 significant bits, by Veltkamp's splitting: sums of a few such times of like size are exact, so that ways that
/// cost the same in another order tie.
inline double rounded_seconds(double seconds) {
  constexpr double kSplitter = 0x1p13 + 1;
  const double scaled = seconds * kSplitter;
  return scaled - (scaled - seconds);
}

class CostModel {
 public:
  CostModel(const AxisNumbering& axes, const Hardware& hardware);

  struct MovePrice {
    double seconds = 0;
    double sent_bytes = 0;  ///< that each device sends over its links, forwarded ones counted again
  };
  /// The price of a move along `travelled`.
  MovePrice price(MoveKind kind, AxisSet travelled, double payload_bytes) const {
    const Rate& r = rate(kind, travelled);
    const double bandwidth_seconds = payload_bytes * r.seconds_per_byte;
    return {rounded_seconds(std::max(bandwidth_seconds, r.hidden_latency_seconds) + r.exposed_latency_seconds),
            payload_bytes * r.sent_per_byte};
  }
  /// The same with hops and bound.
  StepCost move(MoveKind kind, AxisSet travelled, double payload_bytes) const;

  /// The larger of computing and of moving `memory_bytes` (both inputs and the result) between chip and memory.
  StepCost product(double flops_per_second, double flops, double memory_bytes) const;

 private:
  /// What a kind of move along one set of axes costs: max(payload x seconds_per_byte, hidden) + exposed seconds. Zero
  /// for moves that are free.
  struct Rate {
    double seconds_per_byte = 0;
    double hidden_latency_seconds = 0;
    double exposed_latency_seconds = 0;
    double sent_per_byte = 0;
    double hops = 0;
  };
  using Rates = std::array<Rate, kNumMoveKinds>;

  const Rate& rate(MoveKind kind, AxisSet travelled) const { return rates_[travelled][static_cast<std::size_t>(kind)]; }

  std::array<Rates, kNumAxisSets> rates_{};  // by set of axes, then by kind
  double memory_bytes_per_second_;
};

}  // namespace meshmul
