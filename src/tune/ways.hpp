#pragma once
// The ways to build some statements, all alike.

#include <vector>

#include "meshmul/tune.hpp"
#include "sides.hpp"

namespace meshmul {

/// As `ways_to_build` of a plan that consists of them.
std::vector<LowerOptions> ways_to_build(const StatementsSteps& statements, const Mesh& mesh, const Hardware& hardware,
                                        const Capabilities& available);

}  // namespace meshmul
