#include "array_location.hpp"

#include <fmt/format.h>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr std::string_view kNpySuffix = ".npy";
constexpr std::string_view kSafetensorsSuffix = ".safetensors";

}  // namespace

ArrayLocation parse_array_location(std::string_view location) {
  if (location.ends_with(kNpySuffix)) return {std::string(location), FileFormat::kNpy, ""};
  if (location.ends_with(kSafetensorsSuffix)) return {std::string(location), FileFormat::kSafetensors, ""};
  const std::size_t suffix = location.find(fmt::format("{}:", kSafetensorsSuffix));
  if (suffix == std::string_view::npos)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("{}: unknown kind of file; expected FILE.npy, FILE.safetensors or FILE.safetensors:TENSOR",
                            location));
  const std::size_t colon = suffix + kSafetensorsSuffix.size();
  if (colon + 1 == location.size())
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} names no tensor after the colon", location));
  return {std::string(location.substr(0, colon)), FileFormat::kSafetensors, std::string(location.substr(colon + 1))};
}

}  // namespace meshmul
