#pragma once
// Runs a lowered program on whole arrays, given and returned by name.

#include <map>
#include <string>
#include <vector>

#include "meshmul/execute.hpp"
#include "meshmul/program_plan.hpp"
#include "meshmul/schedule.hpp"
#include "support/plain_gradients.hpp"

namespace meshmul::testing {

/// The outputs of the planned program, in order, from the given arrays by name. `schedule` is what `plan` was lowered to,
/// legalized, and what `session` runs. Where ranks hold terms of one sum they are added.
std::vector<Reals> run_on(Session& session, const Schedule& schedule, const ProgramPlan& plan,
                          const std::map<std::string, Reals>& given);

}  // namespace meshmul::testing
