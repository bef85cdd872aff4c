#pragma once
// What the verifier found, as `verify` prints it, and `run` when it does not go on.

#include <string>
#include <vector>

#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"

namespace meshmul::cli {

/// A line for each finding; without one that the schedule is proven, its size, and memory that is not used.
std::string as_text(const Schedule& schedule, const std::vector<Finding>& findings);
std::string as_json(const Schedule& schedule, const std::vector<Finding>& findings);

}  // namespace meshmul::cli
