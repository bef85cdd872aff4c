#pragma once
// Times several ways to do one thing in turn, so that what drifts on the machine meets all of them alike.

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace meshmul::measure {

/// Does the work once and returns the seconds that it took.
using Timed = std::function<double()>;

struct InTurnOptions {
  int rounds = 31;
  double max_seconds = std::numeric_limits<double>::infinity();  ///< no round begins later, but for the first two
  std::function<bool()> stop = [] { return false; };             ///< asked before each measurement
};

/// Pair i was measured one after the other.
struct Pairs {
  std::vector<double> reference_seconds, seconds;
};

/// Measures each of `contenders` right after `reference`: A B, A C, A B, A C, … for A and the contenders B and C. The first
/// round warms caches, pages and threads and is not counted. Returns the pairs of each contender; all have as many, none if
/// it was stopped before two rounds were over.
std::vector<Pairs> measure_in_turn(const Timed& reference, const std::vector<Timed>& contenders,
                                   const InTurnOptions& options);

}  // namespace meshmul::measure
