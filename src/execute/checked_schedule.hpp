#pragma once
// What every executor asks of a schedule before it touches memory in its name.

#include <cstdint>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// `schedule` itself, with the buffers that its contract names declared symmetric: the host addresses them as a peer
/// does, so that a buffer which is still private belongs to its rank alone. Throws Error(kInvalidArgument) if an op, a
/// signal or a declaration is not well formed, or a holding lies in no buffer: executors take every box and number for
/// granted, and would read and write anywhere.
Schedule checked(Schedule schedule);

/// Throws Error(kInvalidArgument) unless `schedule` can be run `times` times without the host in between: not fewer than once,
/// and only once if it requires the barrier between runs.
void check_times(const Schedule& schedule, std::int64_t times);

}  // namespace meshmul
