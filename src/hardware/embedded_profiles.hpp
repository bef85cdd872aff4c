#pragma once
// The files of profiles/, embedded by the build.

#include <span>
#include <string_view>

namespace meshmul {

struct EmbeddedProfile {
  std::string_view name;
  std::string_view toml_text;
};

/// Sorted by name.
std::span<const EmbeddedProfile> embedded_profiles();

}  // namespace meshmul
