#pragma once
// Cheapest chains of moves between the states of one array: shortest paths under two prices, time and memory.

#include <span>
#include <vector>

#include "plan/array_states.hpp"
#include "plan/deadlines.hpp"

namespace meshmul {

/// A chain of moves between a state and an anchor that nothing beats in both seconds (then bytes sent, then moves) and
/// bytes of memory.
struct Path {
  double seconds = 0;
  double sent_bytes = 0;
  int num_moves = 0;
  double memory_bytes = 0;  ///< of every array and scratch that its moves make, and of the anchor's starting price
  int state = 0;
  int next = -1;  ///< the path that is one move nearer to the anchor; -1 at the anchor
};

struct Anchor {
  int state = 0;
  double memory_bytes = 0;  ///< price of starting there
};

/// Where `input` may lie at first: where it does, or in every complete state if its sharding is open. The price is its
/// own bytes.
std::vector<Anchor> input_anchors(const ArrayType& input, const StateSpace& space);

/// Where `output` may lie in the end. Whatever makes it has paid for it.
std::vector<Anchor> output_anchors(const ArrayType& output, const StateSpace& space);

class PathTable {
 public:
  /// Paths that come after their deadline need not be found.
  PathTable(const ArrayStates& states, Direction direction, std::span<const Anchor> anchors,
            Deadlines deadlines = Deadlines());

  /// The paths of `state` that none beats, fastest first. Empty if no anchor can be reached.
  const std::vector<int>& paths_of(int state) const { return by_state_[static_cast<std::size_t>(state)]; }
  const Path& path(int id) const { return paths_[static_cast<std::size_t>(id)]; }
  /// Its states in the order in which the moves run.
  std::vector<int> states_along(int id) const;

 private:
  Direction direction_;
  std::vector<Path> paths_;
  std::vector<std::vector<int>> by_state_;
};

}  // namespace meshmul
