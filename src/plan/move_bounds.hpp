#pragma once
// What the moves between two states of an array take at least, whatever way they go.

#include <vector>

#include "plan/cost.hpp"
#include "plan/moves.hpp"
#include "plan/state_space.hpp"

namespace meshmul {

/// An axis that cuts a dimension and does not, or not in this place, afterwards has to travel at least once; one in {U_…}
/// that is not there afterwards has to be reduced. For every set of such axes the cheapest moves that make them travel are
/// known, of shards that are as small as they can be by then: what is left of an axis that cuts nothing in the end was put
/// together with its last move, so that no later shard is cut by it.
class MoveBounds {
 public:
  MoveBounds(const StateSpace& space, const CostModel& cost);

  /// No chain of moves from one state to the other takes less.
  double seconds(int from, int to) const {
    const PackedSharding& before = space_.sharding(from);
    const PackedSharding& after = space_.sharding(to);
    const AxisSet lost = compare_dims(before, after, space_.num_dims()).lost;
    return reductions_[before.unreduced & ~after.unreduced] + travels_[place(lost, before.cut & ~after.cut)];
  }

 private:
  std::size_t place(AxisSet travelling, AxisSet gone) const { return travelling * num_sets_ + gone; }
  void find_least_bytes();
  void find_travels(const CostModel& cost);
  void find_reductions(const CostModel& cost);

  const StateSpace& space_;
  std::size_t num_sets_;
  std::vector<double> least_bytes_;  // by set of axes: of a shard that no other axis cuts
  std::vector<double> travels_;      // by `place`: of axes that travel, of which some cut nothing in the end
  std::vector<double> reductions_;   // by set of axes
};

}  // namespace meshmul
