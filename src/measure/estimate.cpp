#include "estimate.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace meshmul::measure {
namespace {

constexpr double kCoverage = 0.95;

// P(Bin(n, 1/2) = k). By logarithms, since 2^-n soon is no double.
double probability(std::size_t n, std::size_t k) {
  const auto log_factorial = [](std::size_t i) { return std::lgamma(static_cast<double>(i) + 1); };
  return std::exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) - static_cast<double>(n) * std::log(2.0));
}

double median_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

Estimate estimate(std::vector<double> values) {
  assert(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  // `outside` values lie beyond each end of the interval, and `tail` is the probability that the median does.
  std::size_t outside = 0;
  double tail = probability(n, 0);
  while (2 * (outside + 2) <= n && 1 - 2 * (tail + probability(n, outside + 1)) >= kCoverage)
    tail += probability(n, ++outside);
  return {median_of(values), values[outside], values[n - 1 - outside], std::max(0.0, 1 - 2 * tail)};
}

Estimate estimate_of_ratios(const std::vector<double>& a, const std::vector<double>& b) {
  assert(a.size() == b.size());
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return estimate(std::move(ratios));
}

}  // namespace meshmul::measure
