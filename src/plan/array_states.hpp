#pragma once
// The states of one array with the moves between them, priced on one machine.

#include <optional>
#include <vector>

#include "plan/cost.hpp"
#include "plan/moves.hpp"
#include "plan/state_classes.hpp"
#include "plan/state_space.hpp"

namespace meshmul {

/// What a move between two states costs, as far as the search compares it.
struct Edge {
  double seconds = 0;
  double sent_bytes = 0;
  double new_bytes = 0;       ///< of its result and its scratch; none if the result is a part of what there was
  double new_bytes_last = 0;  ///< the same if it is the last step, which makes the output
};

/// Of the result of a reduction that adds up in a wider dtype.
double scratch_of_reduction(const StateSpace& space, const Transition& found, int from, int to, bool is_last);

/// The single move from one state to another; nothing if there is none, or they are the same.
inline std::optional<Edge> edge(const StateSpace& space, const CostModel& cost, int from, int to) {
  const std::optional<Transition> found = transition(space.sharding(from), space.sharding(to), space.num_dims());
  if (!found) return std::nullopt;
  const auto [seconds, sent_bytes] =
      cost.price(found->kind, found->travelled, payload_bytes(found->kind, space.bytes(from), space.bytes(to)));
  const double result_bytes = space.bytes(to);
  const bool reduces = found->kind == MoveKind::kReduceScatter || found->kind == MoveKind::kAllReduce;
  if (reduces)
    return Edge{seconds, sent_bytes, result_bytes + scratch_of_reduction(space, *found, from, to, false),
                result_bytes + scratch_of_reduction(space, *found, from, to, true)};
  return Edge{seconds, sent_bytes, found->kind == MoveKind::kSlice ? 0 : result_bytes, result_bytes};
}

class ArrayStates {
 public:
  /// The references must outlive it.
  ArrayStates(const StateSpace& space, const CostModel& cost)
      : space_(space), cost_(cost), classes_(space.shardings(), space.bytes(), space.kept_unreduced(), cost) {}

  const StateSpace& space() const { return space_; }
  const StateClasses& classes() const { return classes_; }
  std::optional<Edge> edge(int from, int to) const { return meshmul::edge(space_, cost_, from, to); }

  /// The move between two states that an edge joins, in full.
  Move move(Operand operand, int from, int to) const;
  /// The moves that lead from each of `states` to the next.
  void append_moves(std::vector<Step>& steps, Operand operand, const std::vector<int>& states) const;

 private:
  const StateSpace& space_;
  const CostModel& cost_;
  StateClasses classes_;
};

}  // namespace meshmul
