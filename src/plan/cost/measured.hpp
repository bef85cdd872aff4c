#pragma once
// Bandwidth that was measured, over the bytes of the array that moves.

#include <array>
#include <vector>

#include "meshmul/hardware.hpp"
#include "meshmul/plan.hpp"

namespace meshmul {

inline constexpr std::size_t kNumMoveKinds = static_cast<std::size_t>(MoveKind::kUnreduce) + 1;

class MeasuredRates {
 public:
  /// Without tables: the nominal bandwidth of everything.
  MeasuredRates() = default;
  /// The tables of `network`, by the names of moves. A ReduceScatter without one has that of an AllGather; an AllReduce
  /// that of an AllGather, and the other way round.
  explicit MeasuredRates(const Network& network);

  /// docs/cost-model.md, formula (15): how many times longer the bytes of a move take than over links of the nominal
  /// bandwidth, where the whole array has `bytes` in a group. 1 for a move without a table, and for no bytes.
  double slowdown(MoveKind kind, double bytes) const;

 private:
  /// Straight lines between points; outside of them the slowdown is that of the nearest.
  struct Curve {
    std::vector<double> log_bytes, log_slowdown;
  };

  static Curve curve(const MeasuredBandwidth& table, double nominal_bytes_per_second);

  std::array<Curve, kNumMoveKinds> curves_;  // by kind
};

}  // namespace meshmul
