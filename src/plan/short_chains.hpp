#pragma once
// Some chain of at most two moves between two states, found without a search: a bound from above for the best one.

#include <optional>

#include "plan/cost.hpp"
#include "plan/state_space.hpp"

namespace meshmul {

struct ShortChain {
  double seconds = 0;
  double new_bytes = 0;  ///< of every array and scratch that its moves make
};

/// From state `from` of `space` to state `to`, or to any complete state: a single move, or the sums completed in one and
/// all else done in another. Nothing if there is no such chain. If it `makes_output`, a slice at its end is a new array.
std::optional<ShortChain> short_chain(const StateSpace& space, const CostModel& cost, int from, std::optional<int> to,
                                      bool makes_output);

}  // namespace meshmul
