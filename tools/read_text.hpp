#pragma once
// Whole text files, and standard input under the name `-`.

#include <string>

namespace meshmul::cli {

/// Throws Error(kInvalidArgument) with the system's reason if `path` cannot be read.
std::string read_text(const std::string& path);

}  // namespace meshmul::cli
