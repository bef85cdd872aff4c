// Finds a profile: one that comes with the library, or a file of the user's; with or without a slice.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "base/did_you_mean.hpp"
#include "hardware/embedded_profiles.hpp"
#include "hardware/slice_text.hpp"
#include "meshmul/error.hpp"
#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

constexpr std::string_view kFileEnding = ".toml";
constexpr std::string_view kLocalName = "local";

/// Far more than a profile has fields for. What a device gives may never end.
constexpr std::size_t kLargestProfile = 10'000'000;

/// All bytes of a file. Throws Error(kInvalidArgument) with the reason if it cannot be read.
std::string read_all(const std::string& path) {
  const auto fail = [&](std::string_view reason) {
    throw Error(ErrorCode::kInvalidArgument, fmt::format("the hardware profile {} cannot be read: {}", path, reason));
  };
  if (std::error_code error; std::filesystem::is_directory(path, error)) fail("it is a directory");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(errno != 0 ? std::generic_category().message(errno) : "it cannot be opened");
  std::string text(kLargestProfile + 1, '\0');
  text.resize(static_cast<std::size_t>(file.read(text.data(), std::ssize(text)).gcount()));
  if (file.bad()) fail("an error of the disk");
  if (text.empty()) fail("it is empty");
  if (text.size() > kLargestProfile) fail("it has more than 10 MB");
  return text;
}

Hardware find_local() {
  const std::string path = local_profile_path();
  std::error_code error;
  if (path.empty() || !std::filesystem::exists(path, error))
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("there is no profile of this machine{}; `meshmul calibrate` writes one",
                            path.empty() ? ", since neither XDG_CONFIG_HOME nor HOME is set" : " at " + path));
  try {
    return load_hardware(read_all(path), path);
  } catch (const Error& fault) {
    throw Error(fault.code(), fmt::format("{} (`meshmul calibrate` writes a new one)", fault.what()));
  }
}

Hardware find_named(std::string_view name) {
  if (name == kLocalName) return find_local();
  for (const EmbeddedProfile& profile : embedded_profiles())
    if (profile.name == name) return load_hardware(profile.toml_text, fmt::format("{}{}", profile.name, kFileEnding));
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("there is no hardware profile '{}'; expected one of {}, or the path of a {} file{}", name,
                          fmt::join(hardware_names(), ", "), kFileEnding, did_you_mean(name, hardware_names())));
}

}  // namespace

std::string local_profile_path() {
  const char* folder = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  if (folder != nullptr && *folder != '\0') return fmt::format("{}/meshmul/{}{}", folder, kLocalName, kFileEnding);
  if (home != nullptr && *home != '\0') return fmt::format("{}/.config/meshmul/{}{}", home, kLocalName, kFileEnding);
  return "";
}

Hardware find_hardware(std::string_view name) {
  const bool is_file = name.ends_with(kFileEnding) || name.find(fmt::format("{}:", kFileEnding)) != name.npos;
  const std::size_t colon = name.ends_with(kFileEnding) ? name.npos : name.rfind(':');
  const std::string before(name.substr(0, colon));
  Hardware hardware = is_file ? load_hardware(read_all(before), before) : find_named(before);
  if (colon != name.npos) hardware.slice = parse_slice(name.substr(colon + 1), hardware);
  return hardware;
}

std::vector<std::string> hardware_names() {
  std::vector<std::string> names;
  for (const EmbeddedProfile& profile : embedded_profiles()) names.emplace_back(profile.name);
  return names;
}

}  // namespace meshmul
