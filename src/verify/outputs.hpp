#pragma once
// The end of coverage: every output element holds every term once.

#include <vector>

#include "meshmul/verify.hpp"
#include "symbolic.hpp"

namespace meshmul::verification {

/// Compares what every output holding has at the end of a run with what its statement says. For an output with {U_X}
/// the terms of the ranks along X are disjoint, and complete together.
void check_outputs(SymbolicState& state, std::vector<Finding>& findings);

}  // namespace meshmul::verification
