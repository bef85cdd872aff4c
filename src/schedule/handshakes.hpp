#pragma once
// Turns steps that are written as if one ran after the other into lanes that run side by side: finds which steps touch
// the same memory, and adds the signals and waits that keep those, and only those, in order.

#include <string>
#include <vector>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// One op and the lane that it stands in. The signals of `op` are filled in by `add_handshakes`.
struct LaneOp {
  int rank = 0;
  std::string lane;
  Op op;  ///< not a Signal and not a Wait
  /// It stands right behind the step before, which is of the same lane: what both need is awaited ahead of that one.
  /// Neither is a put or a get.
  bool with_previous = false;
};

/// Gives `schedule`, which has buffers but neither signals nor lanes, the lanes and signals of `steps`. Each pair of
/// steps that conflict (one writes what the other touches) is ordered as in `steps`, and every arrival is awaited.
///
/// Each need is met by what is already there, or else by one raise: of the `arrived`, `sent` or `taken` of a put or get,
/// or of a signal right behind the op that is waited for. What arrived at one rank by a put or get and is touched by
/// another is passed on by a lane `relay…` of the first, one for each lane that is told. A wait is added only if no
/// earlier wait of its lane implies it, so none can be left out.
void add_handshakes(Schedule& schedule, std::vector<LaneOp> steps);

}  // namespace meshmul
