#pragma once
// What a run on a host makes of a schedule, as a timeline.

#include "host_loop.hpp"
#include "host_program.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul::simulation {

/// A wait begins when its lane comes to it, as in what is measured; there are no links.
Timeline host_timeline(const Schedule& schedule, const HostProgram& program, const HostTrace& trace);

}  // namespace meshmul::simulation
