#pragma once
// What people write as values of options: `300MB`, `30s`, one of some names, lists.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace meshmul {

/// Bytes: a number, whole or not, and B, kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB or TiB (of 1024); a bare number
/// is bytes. Throws Error(kInvalidArgument) that names `option`.
std::int64_t parse_bytes(const std::string& text, const std::string& option);

/// A whole number from 0 to 2^64 - 1. Throws as `parse_bytes` does.
std::uint64_t parse_seed(const std::string& text, const std::string& option);

/// A whole number from `least` to `most`. Throws as `parse_bytes` does.
std::int64_t parse_count(const std::string& text, const std::string& option, std::int64_t least, std::int64_t most);
/// The same, to the largest int.
int parse_count(const std::string& text, const std::string& option, int least);

/// A time: a number and ms, s, min or h; at least one millisecond. Throws as `parse_bytes` does.
std::chrono::milliseconds parse_duration(const std::string& text, const std::string& option);

/// The place of `value` in a list of names. Throws Error(kInvalidArgument) that names `what`, lists the names and
/// suggests the closest.
std::size_t choose(const std::string& value, const std::string& what, const std::vector<std::string>& names);

/// What stands between the separators, in order: one text more than there are of these.
std::vector<std::string> split(const std::string& text, char separator);

}  // namespace meshmul
