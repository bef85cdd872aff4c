#pragma once
// One phase of a reduction in rings: what goes round the rings along one axis.

#include <functional>
#include <string>
#include <vector>

#include "../builder.hpp"
#include "box_stacks.hpp"
#include "ring.hpp"

namespace meshmul {

/// Where a box of the block of `owner` lies at `rank`.
using Places = std::function<Region(int rank, int owner, const Box& part)>;

/// Adds up blocks at the members of rings. On its way a block lies in one of two slots in turn.
class SumRound {
 public:
  /// Adds up `terms` of the blocks of `stacks`, into `sums` at the ranks whose stacks they are in.
  SumRound(ScheduleBuilder& builder, int axis, std::vector<Stream> streams, BoxStacks stacks, Places terms,
           Places sums);

  /// The slots, which hops need. Buffers are called `name`.forward0, ….
  void add_slots(const std::string& name, Dtype dtype);

  /// Adds the own terms to a block of every owner, `distance` hops before it, and sends it one hop on. `block` is its number
  /// in the stack.
  void hop(int block, int distance);

  /// Every owner adds its own term of a block to what came forward, and then what came backward.
  void end(int block);

 private:
  struct Way {
    Stream stream;
    std::vector<int> slots;
    bool ends_in_sums = false;  // the last hop goes straight there
  };

  Region sum(const Way& way, const Ring& ring, int position, int distance, int owner, const Box& part) const;
  int owner_of(const Ring& ring, int position, int block) const;
  void send(const Way& way, const Ring& ring, int position, int block, int distance);
  void add_own_terms(const Way& way, const Ring& ring, int position, int block, int distance);
  void add_up(const Way& way, const Ring& ring, int position, int block);

  ScheduleBuilder& builder_;
  std::vector<Ring> rings_;
  std::vector<Way> ways_;
  BoxStacks stacks_;
  Places terms_, sums_;
};

}  // namespace meshmul
