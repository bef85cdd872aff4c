#pragma once
// Walks back from the end of the last op to the start of the run: over links, lanes, and the waits that let them go on.

#include <vector>

#include "meshmul/timeline.hpp"
#include "program.hpp"
#include "trace.hpp"

namespace meshmul::simulation {

/// From the start to the makespan without a gap. The run finished. Of several ops that end last, the first counts.
std::vector<PathStep> critical_path(const FlatProgram& program, const Trace& trace);

}  // namespace meshmul::simulation
