#pragma once
// Prices of moves and of local products, by docs/cost-model.md. The formulas stand in src/plan/cost/.

#include <algorithm>
#include <array>
#include <vector>

#include "meshmul/plan.hpp"
#include "plan/cost/measured.hpp"
#include "plan/cost/product.hpp"
#include "plan/cost/rounded_seconds.hpp"
#include "plan/machine.hpp"
#include "plan/packed_sharding.hpp"

namespace meshmul {

/// The bytes that the formulas call V or v, from those of the largest shard before and after: a reduction counts the
/// partial array, everything else what a device holds afterwards.
inline double payload_bytes(MoveKind kind, double from_bytes, double to_bytes) {
  return kind == MoveKind::kReduceScatter || kind == MoveKind::kAllReduce ? from_bytes : to_bytes;
}

class CostModel {
 public:
  /// `machine` has a topology for the mesh of `axes`.
  CostModel(const AxisNumbering& axes, const Machine& machine);

  struct MovePrice {
    double seconds = 0;
    double sent_bytes = 0;  ///< that each device sends over its links, forwarded ones counted again
  };
  /// The price of a move along `travelled`.
  MovePrice price(MoveKind kind, AxisSet travelled, double payload_bytes) const {
    const Rate& r = rate(kind, travelled);
    const double byte_seconds = seconds_of_bytes(kind, r, payload_bytes);
    return {rounded_seconds(std::max(byte_seconds, r.hidden_latency_seconds) + r.exposed_latency_seconds),
            payload_bytes * r.sent_per_byte};
  }
  /// The same with everything that there is to say of it.
  StepCost move(MoveKind kind, AxisSet travelled, double payload_bytes) const;

 private:
  /// What a kind of move along one set of axes costs: max(seconds of the payload, hidden) + exposed seconds. Zero for
  /// moves that are free.
  struct Rate {
    double seconds_per_byte = 0;
    double hidden_latency_seconds = 0;
    double exposed_latency_seconds = 0;
    double sent_per_byte = 0;
    double link_per_byte = 0;
    double hops = 0;
    double whole_per_byte = 1;  ///< bytes of the whole array in a group, for the tables of bandwidths
  };
  using Rates = std::array<Rate, kNumMoveKinds>;

  const Rate& rate(MoveKind kind, AxisSet travelled) const { return rates_[travelled][static_cast<std::size_t>(kind)]; }
  double seconds_of_bytes(MoveKind kind, const Rate& r, double payload_bytes) const {
    const double nominal = payload_bytes * r.seconds_per_byte;
    return is_measured_ ? nominal * measured_.slowdown(kind, payload_bytes * r.whole_per_byte) : nominal;
  }

  std::vector<Rates> rates_;  // by set of axes, then by kind
  bool is_measured_;
  MeasuredRates measured_;
};

}  // namespace meshmul
