#pragma once
// A copy and the reductions right behind it that add to what it wrote: one sum of several terms.

#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// One sum in place of ops of a lane.
struct MergedSum {
  int first_op = 0;  ///< the number of the copy in its lane; the reductions follow it
  Region dst;
  /// At least two, in the order in which they are added. None overlaps `dst`: a well-formed copy or reduction reads nothing
  /// that it writes.
  std::vector<Region> terms;
};

/// The sums in `lane`, in order: a copy and as many reductions to the same place as follow it, if all are of one dtype, none
/// changes the order of dimensions and none but the last raises a signal.
std::vector<MergedSum> merged_sums(const Schedule& schedule, const Lane& lane);

}  // namespace meshmul
