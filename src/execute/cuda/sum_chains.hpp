#pragma once
// Ops of a lane that a device does as one sum of several terms: it reads every term once and writes the result once.

#include <functional>
#include <set>
#include <vector>

#include "meshmul/schedule.hpp"
#include "schedule/other_lanes.hpp"

namespace meshmul::cuda {

/// dst = the sum of `terms`, added in f32 in their order and rounded once, in place of the copies and reduces of a lane
/// from `first_op` to `last_op`; between these are waits alone. The first term may be dst.
struct SumChain {
  int first_op = 0;
  int last_op = 0;
  Region dst;
  std::vector<Region> terms;
  bool operator==(const SumChain&) const = default;
};

/// Whether one task can write this sum.
using CanSum = std::function<bool(const Region& dst, const std::vector<Region>& terms)>;

/// The sums in a lane, in order, each of two or more ops: a copy to a region of f32 or a reduce into it, the reduces
/// into it that follow, and the copy of it behind them, if nobody reads the region before it is written anew: then it
/// is not written at all. All give the bits that the ops give one after the other, whose partial sums are f32 too. None
/// but the last one raises a signal. So all waits may come first: nobody can wait for anything that stands between
/// them. Ops that products do, `absorbed`, are in no sum.
std::vector<SumChain> sum_chains(const Schedule& schedule, int rank, int lane, const OtherLanes& others,
                                 const std::set<int>& absorbed, const CanSum& can_sum);

}  // namespace meshmul::cuda
