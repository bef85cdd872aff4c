#pragma once
// Fills the inputs of a lowered program with whole numbers, runs it, and holds its outputs against what they should be.

#include <cstdint>
#include <string>

#include "meshmul/execute.hpp"
#include "meshmul/lower_program.hpp"

namespace meshmul::testing {

/// Writes every input shard of the contract, runs once on a session of `schedule`, which `plan` was lowered to, and
/// compares every output element: on every rank, and for an output with partial sums their sum. Empty if all is right,
/// else the first difference in words.
std::string run_and_compare(Session& session, const Schedule& schedule, const ProgramPlan& plan, std::uint64_t seed);

}  // namespace meshmul::testing
