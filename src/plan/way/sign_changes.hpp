#pragma once
// Where a function that is smooth but for a few kinks changes its sign.

#include <functional>
#include <vector>

namespace meshmul {

/// A value, and which branch each maximum in it took: between two points with the same branches the function is smooth.
struct Sample {
  double value = 0;
  std::vector<int> branches;
};

struct SignChange {
  double at = 0;
  int sign = 0;  ///< from there on: -1, 0 or 1
};

struct Signs {
  int at_low = 0;
  std::vector<SignChange> changes;  ///< rising
};

/// The sign of `f` between `low` and `high` (0 < low < high). Looks at a thousand points, evenly apart on a logarithmic
/// scale, and at the kinks between them; two changes between neighbouring ones of these are missed. Zero counts as a
/// sign where it lasts from one of them to the next.
Signs signs_of(const std::function<Sample(double)>& f, double low, double high);

}  // namespace meshmul
