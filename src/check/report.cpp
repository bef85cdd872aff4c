// A check in one line of text.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "meshmul/check.hpp"

namespace meshmul {
namespace {

std::string position_text(const std::vector<std::int64_t>& position) {
  std::vector<std::string> parts;
  for (const std::int64_t p : position) parts.push_back(p < 0 ? ":" : std::to_string(p));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

bool agrees(const Difference& difference) {
  return difference.error == 0 || (std::isfinite(difference.error) && difference.error <= difference.bound);
}

}  // namespace

std::string to_string(const CheckResult& result) {
  if (!result.element && !result.row) return result.method + ": there is no element";
  if (result.element && !agrees(*result.element))
    return fmt::format("mismatch at {}: found {:.9g}, expected {:.9g}; error {:.3g}, bound {:.3g} ({})",
                       position_text(result.element->position), result.element->found, result.element->expected,
                       result.element->error, result.element->bound, result.method);
  if (result.row && !agrees(*result.row))
    return fmt::format(
        "mismatch in row {}: times a random vector {:.9g}, expected {:.9g}; error {:.3g}, bound {:.3g} ({})",
        position_text(result.row->position), result.row->found, result.row->expected, result.row->error,
        result.row->bound, result.method);
  std::string text = result.method;
  if (result.element)
    text += fmt::format(": largest error {:.3g}, its bound {:.3g}, at {}", result.element->error, result.element->bound,
                        position_text(result.element->position));
  if (result.row)
    text += fmt::format("; of the rows {:.3g}, bound {:.3g}, at {}", result.row->error, result.row->bound,
                        position_text(result.row->position));
  return text;
}

}  // namespace meshmul
