#pragma once
// Times of the simulator: whole picoseconds, each rounded up once.

#include <cmath>
#include <cstdint>

namespace meshmul::simulation {

/// Longest single duration, thirteen days. Whoever gets it refuses the schedule.
inline constexpr std::int64_t kLongestPs = std::int64_t{1} << 60;

/// Rounded up, but for what a double cannot tell from a whole number. More than kLongestPs gives kLongestPs.
inline std::int64_t picoseconds(long double seconds) {
  constexpr long double kRelativeNoise = 1e-15L;
  const long double exact = seconds * 1e12L;
  if (!(exact < static_cast<long double>(kLongestPs))) return kLongestPs;
  return static_cast<std::int64_t>(std::ceil(exact - exact * kRelativeNoise));
}

/// Time in which `bytes` pass at `bytes_per_second`.
inline std::int64_t picoseconds_of_bytes(std::int64_t bytes, double bytes_per_second) {
  return picoseconds(static_cast<long double>(bytes) / static_cast<long double>(bytes_per_second));
}

}  // namespace meshmul::simulation
