#pragma once
// What every executor asks of a schedule before it touches memory in its name.

#include "meshmul/schedule.hpp"

namespace meshmul {

/// `schedule` itself. Throws Error(kInvalidArgument) if an op, a signal or a declaration is not well formed, or a holding
/// lies in no buffer: executors take every box and number for granted, and would read and write anywhere.
Schedule checked(Schedule schedule);

}  // namespace meshmul
