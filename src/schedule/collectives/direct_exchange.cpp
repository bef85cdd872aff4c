// Point to point: every rank takes what it already holds, and gets the rest from the nearest ranks that hold it. Serves
// AllGather, AllToAll, Permute, Redistribute and the last Slice; here AllGather_X over X=4 (numbers are blocks):
//
//     rank   before      after
//      0     0 . . .     0 1 2 3      gets 1 from rank 1, 2 from rank 2, 3 from rank 3
//      1     . 1 . .     0 1 2 3      gets 2 from rank 2, 3 from rank 3, 0 from rank 0
//      2     . . 2 .     0 1 2 3      …
//      3     . . . 3     0 1 2 3

#include <cassert>

#include "../dimension_order.hpp"
#include "collectives.hpp"
#include "holders.hpp"

namespace meshmul {

void direct_exchange(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to) {
  assert(from.type.sharding.unreduced == to.type.sharding.unreduced);
  const DimensionOrder order(to.type, from.type);
  const bool same_bytes = order.is_same() && from.type.dtype == to.type.dtype;
  for (int rank = 0; rank < builder.num_ranks(); ++rank)
    for (const auto& [holder, part] : holders_of(builder.mesh(), from, rank, order.in_source(to.held(rank)))) {
      const Region dst = to.region(rank, order.in_target(part));
      const Region src = from.region(holder, part);
      if (same_bytes && holder != rank)
        builder.get(kCopyLane0, dst, src);
      else
        builder.copy(dst, src, order.permutation());
    }
}

}  // namespace meshmul
