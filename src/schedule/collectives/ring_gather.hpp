#pragma once
// Blocks go round rings along all axes at once, each part of them round one axis after the other.

#include <vector>

#include "../placed_array.hpp"
#include "collectives.hpp"

namespace meshmul {

/// Sends block r, which lies at rank r in `from`, to all ranks that differ from r only along `axes`, into `to`. Rank r
/// itself has no copy there.
void gather_in_rings(ScheduleBuilder& builder, const std::vector<Box>& blocks, const PlacedArray& from,
                     const PlacedArray& to, const std::vector<int>& axes, Ways ways);

}  // namespace meshmul
