#pragma once
// Says of many moves at once that they are too dear: states are sorted into classes, and for two classes it is known
// what a move between them takes at least.

#include <span>
#include <vector>

#include "plan/cost.hpp"
#include "plan/packed_sharding.hpp"

namespace meshmul {

/// States of an array with the same {U_…} in which the same axes cut anything.
struct StateClass {
  AxisSet unreduced = 0;
  AxisSet cut = 0;
  std::vector<int> states;  ///< rising, so that classes with the same axes cut have their dimensions in the same order
  double least_bytes = 0;   ///< of a shard, of all states
};

/// A class in reach, and what a single move takes at least.
struct ClassInReach {
  int number = 0;
  double seconds = 0;
  double new_bytes = 0;  ///< of the result; none where it may be a slice
  /// Only {U_…} changes: a move joins the states of the two classes that have the same place in their lists.
  bool same_dims = false;
};

class StateClasses {
 public:
  /// `bytes` are those of a shard in each of `states`. A complete array becomes partial over axes in `kept_unreduced`
  /// alone: zeros that have to be added again help nothing. Beside sums that have to be added anyway they do, since these
  /// then travel along more axes.
  StateClasses(std::span<const PackedSharding> states, std::span<const double> bytes, AxisSet kept_unreduced,
               const CostModel& cost);

  int num_classes() const { return static_cast<int>(classes_.size()); }
  const StateClass& operator[](int number) const { return classes_[static_cast<std::size_t>(number)]; }
  int class_of(int state) const { return class_of_[static_cast<std::size_t>(state)]; }
  /// Its place in the list of its class.
  int place_of(int state) const { return place_of_[static_cast<std::size_t>(state)]; }
  /// Classes to which a single move may lead from class `number`.
  const std::vector<ClassInReach>& after(int number) const { return after_[static_cast<std::size_t>(number)]; }
  /// Classes from which one may lead to class `number`.
  const std::vector<ClassInReach>& before(int number) const { return before_[static_cast<std::size_t>(number)]; }

 private:
  std::vector<StateClass> classes_;
  std::vector<int> class_of_, place_of_;  // by state
  std::vector<std::vector<ClassInReach>> after_, before_;
};

}  // namespace meshmul
