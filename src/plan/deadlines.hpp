#pragma once
// How late a chain of moves may reach a state and still be a part of something that is looked for.

#include <limits>
#include <vector>

#include "plan/move_bounds.hpp"

namespace meshmul {

enum class Direction {
  kFromAnchors,  ///< chains lead from an anchor to the state
  kToAnchors,    ///< chains lead from the state to an anchor
};

/// A state that chains are wanted for, and what they may take.
struct Target {
  int state = 0;
  double seconds = 0;
};

class Deadlines {
 public:
  /// The same for every state; by default none.
  explicit Deadlines(double seconds = std::numeric_limits<double>::infinity()) : latest_(seconds) {}
  /// Chains that can still come to one of `targets` in time, by `bounds`, which must outlive it.
  Deadlines(const MoveBounds& bounds, Direction direction, std::vector<Target> targets, int num_states);

  /// No state has a later one.
  double latest() const { return latest_; }
  /// `state` has no later one, as far as it is known.
  double latest(int state) const {
    return bounds_ == nullptr ? latest_ : known_[static_cast<std::size_t>(state)].latest;
  }
  bool is_in_time(int state, double seconds) {
    if (seconds > latest(state)) return false;
    return bounds_ == nullptr || seconds <= known_[static_cast<std::size_t>(state)].seconds || look_on(state, seconds);
  }

 private:
  /// The deadline of a state by the targets that were looked at so far, and the latest that those to come may give.
  struct Known {
    double seconds = -std::numeric_limits<double>::infinity();
    double latest = 0;
    int num_targets = 0;
  };

  bool look_on(int state, double seconds);

  double latest_;
  const MoveBounds* bounds_ = nullptr;
  Direction direction_ = Direction::kFromAnchors;
  std::vector<Target> targets_;  // those with most time first
  std::vector<Known> known_;     // by state
};

}  // namespace meshmul
