// Finds a profile: one that comes with the library, or a file of the user's; with or without a slice.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/did_you_mean.hpp"
#include "hardware/embedded_profiles.hpp"
#include "meshmul/error.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

constexpr std::string_view kFileEnding = ".toml";

Hardware read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw Error(ErrorCode::kInvalidArgument, fmt::format("the hardware profile {} cannot be read", path));
  return load_hardware(text.str(), path);
}

Hardware find_embedded(std::string_view name) {
  for (const EmbeddedProfile& profile : embedded_profiles())
    if (profile.name == name) return load_hardware(profile.toml_text, fmt::format("{}{}", profile.name, kFileEnding));
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("there is no hardware profile '{}'; expected one of {}, or the path of a {} file{}", name,
                          fmt::join(hardware_names(), ", "), kFileEnding, did_you_mean(name, hardware_names())));
}

/// `4x4`, as the whole hardware has axes and no axis longer than its.
std::vector<std::int64_t> parse_slice(std::string_view text, const Hardware& hardware) {
  const std::vector<std::int64_t>& largest = hardware.network.slices.largest;
  const auto fail = [&] {
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("the slice '{}' of {} is wrong; expected {}", text, hardware.name,
                    largest.empty() ? "sizes such as 4x4" : fmt::format("sizes up to {}", fmt::join(largest, "x"))));
  };
  std::vector<std::int64_t> slice;
  std::int64_t devices = 1;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    std::int64_t size = 0;
    const auto [stop, status] = std::from_chars(text.data() + begin, text.data() + end, size);
    if (status != std::errc() || stop != text.data() + end || size < 1 || size > Mesh::kMaxDevices / devices) fail();
    devices *= size;
    slice.push_back(size);
    begin = end + 1;
  }
  if (!largest.empty()) {
    if (slice.size() != largest.size()) fail();
    for (std::size_t axis = 0; axis < slice.size(); ++axis)
      if (slice[axis] > largest[axis]) fail();
  }
  return slice;
}

}  // namespace

Hardware find_hardware(std::string_view name) {
  if (name.ends_with(kFileEnding)) return read_file(std::string(name));
  const std::size_t colon = name.find(':');
  Hardware hardware = find_embedded(name.substr(0, colon));
  if (colon != std::string_view::npos) hardware.slice = parse_slice(name.substr(colon + 1), hardware);
  return hardware;
}

std::vector<std::string> hardware_names() {
  std::vector<std::string> names;
  for (const EmbeddedProfile& profile : embedded_profiles()) names.emplace_back(profile.name);
  return names;
}

}  // namespace meshmul
