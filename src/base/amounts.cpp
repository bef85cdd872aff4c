#include "base/amounts.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <span>

namespace meshmul {
namespace {

/// What rounds to 1000 in so many digits.
double thousand(int digits) { return 1000 - 0.5 * std::pow(10, 3 - digits); }

/// Up to `digits` (at least 3) significant digits, no exponent below 1000: 45, 2.25, 0.5, 1000.
std::string significant(double value, int digits) {
  return value < thousand(digits) ? fmt::format("{:.{}g}", value, digits) : fmt::format("{:.0f}", value);
}

/// The amount with the largest prefix that leaves at least 1, each 1000 times the one before it. What rounds to 1000
/// takes the next prefix.
std::string with_prefix(double amount, std::span<const std::string_view> prefixes, std::string_view unit, int digits) {
  std::size_t chosen = 0;
  while (chosen + 1 < prefixes.size() && amount >= thousand(digits)) {
    amount /= 1000;
    ++chosen;
  }
  return fmt::format("{} {}{}", significant(amount, digits), prefixes[chosen], unit);
}

}  // namespace

std::string format_number(double number) { return significant(number, 3); }

std::string format_amount(double amount, std::string_view unit) {
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P"};
  return with_prefix(amount, kPrefixes, unit, 3);
}

std::string format_seconds(double seconds) {
  if (seconds == 0) return "0 s";
  constexpr std::string_view kPrefixes[] = {"p", "n", "u", "m", ""};
  return with_prefix(seconds * 1e12, kPrefixes, "s", 4);
}

}  // namespace meshmul
