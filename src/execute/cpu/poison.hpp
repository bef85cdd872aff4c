#pragma once
// Makes reads of memory that nothing has written show.

#include "meshmul/schedule.hpp"
#include "world_memory.hpp"

namespace meshmul {

/// Fills every buffer of every rank that holds no input with a pattern: NaN in floats, 0x7F bytes in integers.
void poison_buffers(const Schedule& schedule, const WorldMemory& memory);

}  // namespace meshmul
