// A complete array becomes partial sums for free: one rank a group keeps it, the others hold zeros.

#include <algorithm>
#include <iterator>

#include "../dimension_order.hpp"
#include "collectives.hpp"

namespace meshmul {

void unreduce(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to) {
  const Mesh& mesh = builder.mesh();
  std::vector<int> new_axes;
  std::set_difference(to.type.sharding.unreduced.begin(), to.type.sharding.unreduced.end(),
                      from.type.sharding.unreduced.begin(), from.type.sharding.unreduced.end(),
                      std::back_inserter(new_axes));
  const DimensionOrder order(to.type, from.type);
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    if (mesh.group_index(rank, new_axes) == 0)
      builder.copy(to.region(rank), from.region(rank), order.permutation());
    else
      builder.zero(to.region(rank));
  }
}

}  // namespace meshmul
