#pragma once
// What the synchronous ops do to memory.

#include "kernels/kernels.hpp"
#include "memory.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {

/// Carries out `op` as a whole. Puts and gets are not done here; signals and waits touch no memory.
void perform(const Op& op, const Schedule& schedule, Memory& memory, LocalProductLibrary& products);

}  // namespace meshmul
