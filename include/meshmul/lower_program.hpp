#pragma once
// From the plan of a program to one schedule.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "meshmul/lower.hpp"
#include "meshmul/program_plan.hpp"
#include "meshmul/program_way.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {

/// An array that goes into a lowered program or comes out of it.
struct ProgramArray {
  std::string name;                   ///< in the contract of the schedule
  ValueId value = 0;                  ///< of the program
  std::optional<std::int64_t> slice;  ///< it is this slice of the value along the first dimension
  bool operator==(const ProgramArray&) const = default;
};

struct ProgramArrays {
  std::vector<ProgramArray> inputs;   ///< in the order in which they are used first
  std::vector<ProgramArray> outputs;  ///< as `outputs` of the program
};

/// Which arrays of the contract of `lower(plan)` are which of the program. A slice `W[l]` of each pass is an input of its
/// own, called `Wl0`, `Wl1`, …, and so is an output that a loop has stacked; all others keep their names, where those are free.
ProgramArrays contract_arrays(const ProgramPlan& plan);

/// Lowers a whole program: loops written out pass by pass, the steps of each part as those of a statement, in one
/// schedule. Memory of arrays that nothing reads any more is used again, so that passes share it; inputs and outputs have
/// memory of their own. docs/collectives.md. Throws Error(kInvalidArgument) as `lower` of a plan does.
Schedule lower(const ProgramPlan& plan, const LowerOptions& options = {});
Schedule lower(const ProgramPlan& plan, const ProgramWay& way);

}  // namespace meshmul
