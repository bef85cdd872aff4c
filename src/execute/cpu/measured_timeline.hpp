#pragma once
// From the times that ranks noted to a timeline.

#include <functional>
#include <span>

#include "control.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul {

/// `times_of(rank)` has the times of its ops, lane after lane; it may have more. The timeline begins with the first op.
Timeline measured_timeline(const Schedule& schedule, const std::function<std::span<const OpTimes>(int)>& times_of);

}  // namespace meshmul
