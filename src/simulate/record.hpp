#pragma once
// Writes what an event loop noted down as a timeline.

#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"
#include "network.hpp"
#include "program.hpp"
#include "trace.hpp"

namespace meshmul::simulation {

/// The run finished.
Timeline record(const Schedule& schedule, const Network& network, const FlatProgram& program, const Trace& trace);

}  // namespace meshmul::simulation
