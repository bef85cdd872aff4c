// Every block goes round the ring: in each hop a rank passes on the block that it received last. On four ranks, one way
// (both ways, block 0 reaches rank 3 backward in the first hop and rank 2 in halves in the second):
//
//     rank   before     hop 1      hop 2      hop 3
//      0     0 . . .    0 . . 3    0 . 2 3    0 1 2 3
//      1     . 1 . .    0 1 . .    0 1 . 3    0 1 2 3
//      2     . . 2 .    . 1 2 .    0 1 2 .    0 1 2 3
//      3     . . . 3    . . 2 3    . 1 2 3    0 1 2 3

#include "collectives.hpp"
#include "ring.hpp"
#include "ring_gather.hpp"

namespace meshmul {

void ring_all_gather(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, Ways ways) {
  for (int rank = 0; rank < builder.num_ranks(); ++rank)
    builder.copy(to.region(rank, from.held(rank)), from.region(rank));
  gather_in_rings(builder, from.global, from, to, moved_axes(from.type, to.type), ways);
}

}  // namespace meshmul
