#pragma once
// No command writes over a file that it reads or writes besides.

#include <string>
#include <vector>

#include "statement_options.hpp"

namespace meshmul::cli {

/// Throws Error(kInvalidArgument) if `file`, which is to be written since `option` names it, is one of `others`, or has a name
/// longer than files have here. Empty names do not count.
void refuse_overwriting(const std::string& option, const std::string& file, const std::vector<std::string>& others);

/// What may be a file and is read: the statement, which may be the name of a program or schedule, and the profile.
std::vector<std::string> read_files(const StatementOptions& options);

}  // namespace meshmul::cli
