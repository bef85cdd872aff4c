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
  bool to_positive = false;
};

/// Every sign change of `f` between `low` and `high` (0 < low < high), rising. Looks at a thousand points, evenly apart
/// on a logarithmic scale, and at the kinks between them; two changes between neighbouring ones of these are missed. A
/// stretch of zeros is a change at its end, if the signs around it differ.
std::vector<SignChange> sign_changes(const std::function<Sample(double)>& f, double low, double high);

}  // namespace meshmul
