#pragma once
// Every sharding that one array may have on the way, what a shard of each takes, and the moves between them.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/cost.hpp"
#include "plan/moves.hpp"
#include "plan/packed_sharding.hpp"
#include "plan/state_classes.hpp"
#include "plan/state_numbers.hpp"

namespace meshmul {

/// Elements of the largest block of one dimension, by the axes that cut it. The order of the axes does not matter:
/// ceil(ceil(n / a) / b) = ceil(n / (a b)).
class Extents {
 public:
  Extents(std::int64_t size, const AxisNumbering& axes);
  double operator[](AxisSet cut) const { return extents_[cut]; }

 private:
  std::array<double, kNumAxisSets> extents_{};
};

/// Sums that are still to be completed may travel in a wider dtype than the array has in the end.
struct ElementType {
  Dtype partial = Dtype::kF32;
  Dtype complete = Dtype::kF32;
  AxisSet kept_unreduced = 0;  ///< axes over which the array stays partial: nothing is still to be added along them

  Dtype of(const PackedSharding& sharding) const {
    return (sharding.unreduced & ~kept_unreduced) != 0 ? partial : complete;
  }
};

/// What a move between two states costs, as far as the search compares it.
struct Edge {
  double seconds = 0;
  double sent_bytes = 0;
  double new_bytes = 0;       ///< of its result and its scratch; none if the result is a part of what there was
  double new_bytes_last = 0;  ///< the same if it is the last step, which makes the output
};

class ArrayStates {
 public:
  /// The states of `array`, whatever its own sharding; axes in `may_be_unreduced` may be in {U_…}. The references must
  /// outlive it. The last move gives its result the dimensions in `last_order`, by their places in `array`; none: as
  /// they are.
  ArrayStates(const ArrayType& array, ElementType element_type, AxisSet may_be_unreduced, const AxisNumbering& axes,
              const CostModel& cost, std::vector<std::size_t> last_order = {});
  ArrayStates(const ArrayStates&) = delete;
  ArrayStates& operator=(const ArrayStates&) = delete;

  int num_states() const { return static_cast<int>(states_.size()); }
  const PackedSharding& sharding(int state) const { return states_[index(state)]; }
  double bytes(int state) const { return bytes_[index(state)]; }
  /// The number of `sharding`, which must be one of the states.
  int find(const PackedSharding& sharding) const { return numbers_.find(sharding); }
  /// States without partial sums.
  std::vector<int> complete_states() const;

  const StateClasses& classes() const { return classes_; }
  /// The single move from one state to another; nothing if there is none, or they are the same.
  std::optional<Edge> edge(int from, int to) const {
    const std::optional<Transition> found = transition(sharding(from), sharding(to), array_.num_dims());
    if (!found) return std::nullopt;
    const auto [seconds, sent_bytes] =
        cost_.price(found->kind, found->travelled, payload_bytes(found->kind, bytes(from), bytes(to)));
    const double new_bytes_last = bytes(to) + scratch(*found, from, to, last_order_);
    const double new_bytes = found->kind == MoveKind::kSlice ? 0 : bytes(to) + scratch(*found, from, to, order_);
    return Edge{seconds, sent_bytes, new_bytes, new_bytes_last};
  }

  /// The array in `state`, in full.
  ArrayType type(int state) const;
  /// The move between two states that an edge joins, in full.
  Move move(Operand operand, int from, int to) const;
  /// The moves that lead from each of `states` to the next.
  void append_moves(std::vector<Step>& steps, Operand operand, const std::vector<int>& states) const;

 private:
  static std::vector<Extents> extents(const ArrayType& array, const AxisNumbering& axes);
  std::vector<double> all_bytes() const;
  using Order = std::vector<std::size_t>;
  double scratch(const Transition& found, int from, int to, const Order& order) const {
    const bool reduces = found.kind == MoveKind::kReduceScatter || found.kind == MoveKind::kAllReduce;
    return reduces ? scratch_of_reduction(found, from, to, order) : 0;
  }
  double scratch_of_reduction(const Transition& found, int from, int to, const Order& order) const;
  static std::size_t index(int state) { return static_cast<std::size_t>(state); }

  const ArrayType& array_;
  ElementType element_type_;
  const AxisNumbering& axes_;
  const CostModel& cost_;
  Order order_, last_order_;  // of the dimensions: of the array, and of what the last move makes
  std::vector<PackedSharding> states_;
  StateNumbers numbers_;
  std::vector<Extents> extents_;  // by dimension
  std::vector<double> bytes_;     // by state
  StateClasses classes_;
};

}  // namespace meshmul
