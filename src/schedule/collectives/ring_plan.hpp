#pragma once
// The parts of a collective over several axes, and the order in which their blocks travel: a block goes on as soon as it is
// there and a link is free.

#include <cstddef>
#include <vector>

#include "ring_parts.hpp"

namespace meshmul {

/// A hop of one block of every rank: of a gather the `hop`-th away from the ranks that hold the block before `phase`, of a
/// reduction the `hop`-th before them. Times are in those that a whole block takes over a link.
struct RingStep {
  std::size_t part = 0;
  int phase = 0;
  int block = 0;  ///< its number in HeldBlocks
  int hop = 0;
  double ready = 0;  ///< since when the block may take the hop
  double begin = 0, end = 0;
};

struct RingPlan {
  std::vector<RingPart> parts;
  std::vector<RingStep> steps;  ///< of a gather, in the order in which they begin; backwards, of a reduction
};

/// A gather along `axes`; those of size 1 do not count. All ranks do the same at the same time. What an axis can send it
/// sends at once; of several blocks that of the earliest phase, since most depends on it. Where axes differ in size, the
/// parts are such that it ends early: between equal ones and those of balanced_shares.
RingPlan plan_rings(const Mesh& mesh, const std::vector<int>& axes, Ways ways);

}  // namespace meshmul
