#include "base/option_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "base/did_you_mean.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit kByteUnits[] = {{"", 1},         {"B", 1},        {"kB", 1e3},    {"KB", 1e3},
                               {"MB", 1e6},     {"GB", 1e9},     {"TB", 1e12},   {"KiB", 0x1p10},
                               {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
constexpr Unit kTimeUnits[] = {{"ms", 1}, {"s", 1e3}, {"min", 60e3}, {"h", 3600e3}};

/// The number times its unit, if `text` is one of each and the product is a 64-bit whole number after rounding.
std::optional<std::int64_t> parse_amount(std::string_view text, std::span<const Unit> units) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !(number >= 0)) return {};
  std::string_view unit_name(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit_name.starts_with(' ')) unit_name.remove_prefix(1);
  for (const Unit& unit : units) {
    if (unit.name != unit_name) continue;
    const double amount = std::round(number * unit.factor);
    if (!(amount < 0x1p62)) return {};
    return static_cast<std::int64_t>(amount);
  }
  return {};
}

}  // namespace

std::int64_t parse_bytes(const std::string& text, const std::string& option) {
  if (const auto bytes = parse_amount(text, kByteUnits)) return *bytes;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} takes bytes, such as 300MB or 16GiB; found \"{}\"", option, text));
}

std::uint64_t parse_seed(const std::string& text, const std::string& option) {
  std::uint64_t seed = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seed);
  if (error == std::errc{} && rest == end) return seed;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} takes a seed, such as {}=7; found \"{}\"", option, option, text));
}

std::int64_t parse_count(const std::string& text, const std::string& option, std::int64_t least, std::int64_t most) {
  std::int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error == std::errc{} && rest == end && count >= least && count <= most) return count;
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} takes a whole number from {} to {}; found \"{}\"", option, least, most, text));
}

int parse_count(const std::string& text, const std::string& option, int least) {
  return static_cast<int>(parse_count(text, option, least, std::numeric_limits<int>::max()));
}

std::chrono::milliseconds parse_duration(const std::string& text, const std::string& option) {
  const auto milliseconds = parse_amount(text, kTimeUnits);
  if (milliseconds && *milliseconds >= 1) return std::chrono::milliseconds(*milliseconds);
  throw Error(ErrorCode::kInvalidArgument,
              fmt::format("{} takes a time, such as 30s or 500ms; found \"{}\"", option, text));
}

std::size_t choose(const std::string& value, const std::string& what, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), value);
  if (found == names.end())
    throw Error(ErrorCode::kInvalidArgument, fmt::format("{} \"{}\" is none of {}{}", what, value,
                                                         fmt::join(names, ", "), did_you_mean(value, names)));
  return static_cast<std::size_t>(found - names.begin());
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace meshmul
