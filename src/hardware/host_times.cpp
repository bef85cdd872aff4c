// What lies between the points at which a host was measured.

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

// Where a value lies among rising points: between number `below` and the next one, that far on its way there.
struct Place {
  std::size_t below = 0;
  double share = 0;
};

Place place_of(const std::vector<double>& points, double value) {
  if (value <= points.front()) return {0, 0};
  if (value >= points.back()) return {points.size() - 1, 0};
  const auto above = static_cast<std::size_t>(std::upper_bound(points.begin(), points.end(), value) - points.begin());
  return {above - 1, (value - points[above - 1]) / (points[above] - points[above - 1])};
}

// How many times as long as at the largest point.
double beyond(const std::vector<double>& points, double value) { return std::max(1.0, value / points.back()); }

// The same, of logarithms of bytes.
Place place_of_footprint(const std::vector<double>& bytes, double footprint_bytes) {
  const std::size_t below = place_of(bytes, footprint_bytes).below;
  if (footprint_bytes <= bytes[below] || below + 1 == bytes.size()) return {below, 0};
  return {below, std::log(footprint_bytes / bytes[below]) / std::log(bytes[below + 1] / bytes[below])};
}

// A straight line between logarithms.
double rate_at(const std::vector<double>& bytes, const std::vector<double>& rates, double footprint_bytes) {
  const Place place = place_of_footprint(bytes, footprint_bytes);
  if (place.share == 0) return rates[place.below];
  return rates[place.below] * std::pow(rates[place.below + 1] / rates[place.below], place.share);
}

}  // namespace

double seconds(const ProductTimes& times, double m, double n, double k) {
  if (m <= 0 || n <= 0 || k <= 0) return 0;
  const Place in_m = place_of(times.m, m), in_n = place_of(times.n, n), in_k = place_of(times.k, k);
  const auto at = [&](std::size_t i, std::size_t j, std::size_t l) {
    return times.seconds[(i * times.n.size() + j) * times.k.size() + l];
  };
  const auto along_k = [&](std::size_t i, std::size_t j) {
    const double low = at(i, j, in_k.below);
    return in_k.share == 0 ? low : low + in_k.share * (at(i, j, in_k.below + 1) - low);
  };
  const auto along_n = [&](std::size_t i) {
    const double low = along_k(i, in_n.below);
    return in_n.share == 0 ? low : low + in_n.share * (along_k(i, in_n.below + 1) - low);
  };
  const double low = along_n(in_m.below);
  const double inside = in_m.share == 0 ? low : low + in_m.share * (along_n(in_m.below + 1) - low);
  return inside * beyond(times.m, m) * beyond(times.n, n) * beyond(times.k, k);
}

double bytes_per_second(const FootprintRates& rates, double footprint_bytes) {
  return rate_at(rates.footprint_bytes, rates.bytes_per_second, footprint_bytes);
}

double busy_bytes_per_second(const FootprintRates& rates, double footprint_bytes) {
  if (rates.busy_bytes_per_second.empty()) return bytes_per_second(rates, footprint_bytes);
  return rate_at(rates.footprint_bytes, rates.busy_bytes_per_second, footprint_bytes);
}

double seconds(const FootprintSeconds& times, double footprint_bytes) {
  const Place place = place_of_footprint(times.footprint_bytes, footprint_bytes);
  const double low = times.seconds[place.below];
  return place.share == 0 ? low : low + place.share * (times.seconds[place.below + 1] - low);
}

}  // namespace meshmul
