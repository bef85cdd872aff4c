#pragma once
// Executors that another build or another machine would have.

#include <string>
#include <string_view>

#include "meshmul/execute.hpp"

namespace meshmul {

/// Throws Error(kUnsupported) with what is missing if `name` is that of an executor which this build or this machine
/// lacks. Does nothing for those that are there, and for names of none.
void refuse_missing_executor(std::string_view name);

/// The executor `name`. Throws as `refuse_missing_executor`; Error(kInvalidArgument) that names `what` was to be one,
/// and lists those that there are, for a name of none.
const Executor& require_executor(const std::string& name, const std::string& what);

}  // namespace meshmul
