#pragma once
// Executors that another build or another machine would have.

#include <string_view>

namespace meshmul {

/// Throws Error(kUnsupported) with what is missing if `name` is that of an executor which this build or this machine
/// lacks. Does nothing for those that are there, and for names of none.
void refuse_missing_executor(std::string_view name);

}  // namespace meshmul
