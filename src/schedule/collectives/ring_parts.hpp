#pragma once
// Rings along several mesh axes at once. Every block is cut into as many parts as there are axes, and each part goes round
// another axis first, so that the links of all axes work all the time. On X=2,Y=2 an AllGather takes two phases (0a and 0b
// are the parts of rank 0's block; rank = 2 x + y):
//
//     rank   before   phase 1: a along X, b along Y   phase 2: a along Y, b along X
//      0     0a 0b    0a 2a, 0b 1b                    0a 2a 1a 3a, 0b 1b 2b 3b
//      1     1a 1b    1a 3a, 1b 0b                    …
//      2     2a 2b    2a 0a, 2b 3b
//      3     3a 3b    3a 1a, 3b 2b

#include <utility>
#include <vector>

#include "../placed_array.hpp"
#include "collectives.hpp"

namespace meshmul {

/// One part of every block. A gather goes round its axes in the order of the phases, a reduction in the opposite order.
class RingPart {
 public:
  /// Part `index` of as many as there are `axes`, or the only one, without phases, if there are none. It is what lies
  /// between the shares `begin` and `end` of a block.
  RingPart(std::vector<int> axes, int index, double begin, double end)
      : axes_(std::move(axes)), index_(index), begin_(begin), end_(end) {}

  int index() const { return index_; }
  int num_phases() const { return static_cast<int>(axes_.size()); }
  int axis(int phase) const { return axes_[static_cast<std::size_t>(lane_pair(phase))]; }
  /// Each axis has a pair of lanes, whichever part goes round it. As for streams_of.
  int lane_pair(int phase) const { return (index_ + phase) % num_phases(); }
  /// Of the work.
  double share() const { return end_ - begin_; }
  Box of(const Box& block) const;

 private:
  std::vector<int> axes_;
  int index_ = 0;
  double begin_ = 0, end_ = 1;
};

/// By rank, the ranks whose blocks it has.
using HeldBlocks = std::vector<std::vector<int>>;

/// Blocks of a gather travel away from their owners, sums towards them.
enum class Travel { kAway, kHome };

/// By phase, whose blocks a rank has before it in a gather, or after it in a reduction: at first only its own. What comes in
/// a phase of a gather follows what was there: nearest first, forward before backward, each in the order in which the sender
/// has it. In a reduction that goes away again.
std::vector<HeldBlocks> held_by_phase(const Mesh& mesh, const RingPart& part, Ways ways, Travel travel);

}  // namespace meshmul
