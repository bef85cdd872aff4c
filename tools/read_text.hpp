#pragma once
// Whole text files, and standard input under the name `-`.

#include <cstddef>
#include <string>

namespace meshmul::cli {

/// Throws Error(kInvalidArgument) with the system's reason if `path` cannot be read, and for a text of more than
/// `most_bytes`: what a device or a pipe gives may never end.
std::string read_text(const std::string& path, std::size_t most_bytes);

/// Most bytes of a schedule in its text form.
inline constexpr std::size_t kLargestSchedule = 1'000'000'000;

}  // namespace meshmul::cli
