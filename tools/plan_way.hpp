#pragma once
// How a plan would be built into a schedule: as it was asked for, or in the way that is the fastest by simulation.

#include <optional>

#include "meshmul/compile.hpp"

namespace meshmul::cli {

/// The way that `compile` names, or else the fastest that fits into its memory. Large schedules, of many devices and moves,
/// are not simulated in passing: then a way that was asked for has no time, and otherwise there is none. Throws as `applied`
/// and `tune` do.
std::optional<Candidate> way_to_build(const Plan& plan, const Hardware& hardware, const Capabilities& available,
                                      const CompileOptions& compile);
std::optional<ProgramCandidate> way_to_build(const ProgramPlan& plan, const Hardware& hardware,
                                             const Capabilities& available, const CompileOptions& compile);

}  // namespace meshmul::cli
