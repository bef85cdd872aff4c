#pragma once
// Counts as JSON numbers.

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace meshmul {

/// Bytes, FLOPs, hops: 64 and not 64.0. A number that is not whole, as an average may be, or that f64 does not count
/// exactly, stays a float.
inline nlohmann::ordered_json count_json(double count) {
  constexpr double kExactBelow = 0x1p53;
  if (std::fabs(count) < kExactBelow && count == std::floor(count)) return static_cast<std::int64_t>(count);
  return count;
}

}  // namespace meshmul
