#pragma once
// Whole text files, and standard input under the name `-`.

#include <cstddef>
#include <string>

#include "meshmul/error.hpp"

namespace meshmul::cli {

/// What messages call `path`: `standard input` for `-`.
std::string name_of_text(const std::string& path);

/// Throws Error(kInvalidArgument) with the system's reason if `path` cannot be read, and for a text of more than
/// `most_bytes`: what a device or a pipe gives may never end.
std::string read_text(const std::string& path, std::size_t most_bytes);

/// An error in the text of `path`, its place written as `mlp.mm:4:7:` above the line and the caret. `error` has a place.
Error in_file(const Error& error, const std::string& path);

}  // namespace meshmul::cli
