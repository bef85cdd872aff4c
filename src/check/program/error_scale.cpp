#include "error_scale.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace meshmul::checking {
namespace {

/// A root mean square of fewer is a poor guess.
constexpr std::int64_t kFewestSamples = 16;

double root_mean(double sum, std::int64_t count) {
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

}  // namespace

std::vector<double> error_scales(const std::vector<double>& squares, const std::vector<double>& values,
                                 const Shape& shape, int samples) {
  const auto num_elements = static_cast<std::int64_t>(squares.size());
  double all = 0;
  double all_values = 0;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    all += squares[i];
    if (std::isfinite(values[i])) all_values += values[i] * values[i];
  }
  all = root_mean(all, num_elements * samples);
  all_values = root_mean(all_values, num_elements);
  std::vector<double> scales(squares.size(), all);
  if (all == 0) return scales;

  std::int64_t stride = num_elements;
  for (const std::int64_t extent : shape) {
    stride /= std::max<std::int64_t>(extent, 1);
    const std::int64_t per_position = num_elements / std::max<std::int64_t>(extent, 1);
    if (per_position * samples < kFewestSamples) continue;
    std::vector<double> at(static_cast<std::size_t>(extent));
    const auto position = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<std::int64_t>(i) / stride % extent);
    };
    for (std::size_t i = 0; i < squares.size(); ++i) at[position(i)] += squares[i];
    for (double& sum : at) sum = root_mean(sum, per_position * samples);
    for (std::size_t i = 0; i < scales.size(); ++i) scales[i] *= at[position(i)] / all;
  }
  for (std::size_t i = 0; i < scales.size(); ++i)
    if (const double share = std::fabs(values[i]) * (all_values > 0 ? all / all_values : 0); std::isfinite(share))
      scales[i] = std::max(scales[i], share);
  return scales;
}

}  // namespace meshmul::checking
