#pragma once
// A program as one schedule, simulated in the way that is the fastest.

#include <vector>

#include "meshmul/compile.hpp"
#include "meshmul/program.hpp"
#include "simulate_plan.hpp"

namespace meshmul::cli {

/// Its plan, and what `Fastest` says of a statement.
struct SimulatedProgram {
  ProgramPlan plan;
  Simulated simulated;
  std::vector<ProgramCandidate> candidates;
};

/// In the way that `compile` names, or the fastest of all that fit. Throws Error(kInvalidArgument) if the schedule takes more
/// memory than was stated.
SimulatedProgram simulate_program(const Program& program, const Mesh& mesh, const CompileOptions& compile,
                                  const SimulateTarget& target);

}  // namespace meshmul::cli
