#pragma once
// The middle of measured values, and how well it is known.

#include <vector>

namespace meshmul::measure {

/// The median, and an interval that holds the true one with the probability `coverage`.
struct Estimate {
  double median = 0;
  double low = 0;
  double high = 0;
  double coverage = 0;
};

/// Of at least one value. The interval goes from the j-th smallest to the j-th largest value, with the largest j for which
/// it still covers 95 %, whatever the distribution: 1 - 2 P(Bin(n, 1/2) < j), Conover, Practical Nonparametric Statistics,
/// section 3.2. Fewer than six values cannot cover so much; the interval is then their whole range.
Estimate estimate(std::vector<double> values);

/// That of a_i / b_i: values of one number were measured next to each other. Both have as many, at least one.
Estimate estimate_of_ratios(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace meshmul::measure
