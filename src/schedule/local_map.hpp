#pragma once
// An elementwise function of shards where they lie: one op a rank.

#include <vector>

#include "builder.hpp"
#include "meshmul/map_function.hpp"
#include "placed_array.hpp"

namespace meshmul {

/// result = function(sources…) on every rank, which holds what it needs of every source; dimensions go together by their
/// indices. A source may be `result` itself.
void local_map(ScheduleBuilder& builder, MapFunction function, const std::vector<PlacedArray>& sources,
               const PlacedArray& result);

}  // namespace meshmul
