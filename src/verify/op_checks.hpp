#pragma once
// The part of well-formed that looks at one op at a time: boxes, extents, dtypes, peers, capabilities.

#include <string>
#include <unordered_map>
#include <vector>

#include "base/einsum.hpp"
#include "meshmul/schedule.hpp"
#include "meshmul/verify.hpp"

namespace meshmul::verification {

/// The einsums that were parsed so far. Schedules have few of them and many gemms.
using EinsumCache = std::unordered_map<std::string, Einsum>;

/// Adds a finding for everything that is wrong with the op at `place`; true if nothing is. The shapes of the buffers
/// are good.
bool check_op(const Schedule& schedule, const OpPlace& place, const Op& op, EinsumCache& einsums,
              std::vector<Finding>& findings);

}  // namespace meshmul::verification
