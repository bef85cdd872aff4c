#pragma once
// Sums and sums of products as unevaluated pairs of f64: about 106 significant bits.

#include <cmath>

namespace meshmul::checking {

/// high + low, with |low| at most half a unit in the last place of high.
class DoubleDouble {
 public:
  /// Knuth's two-sum: the rounding error of an addition is itself an f64.
  void add(double value) {
    const double sum = high_ + value;
    const double part = sum - high_;
    low_ += (high_ - (sum - part)) + (value - part);
    high_ = sum;
  }

  /// Adds x * y; a fused multiply-add gives the rounding error of the product.
  void add_product(double x, double y) {
    const double product = x * y;
    add(product);
    low_ += std::fma(x, y, -product);
  }

  /// Rounded to f64. NaN and infinity come out as plain arithmetic gives them.
  double value() const { return std::isfinite(high_) ? high_ + low_ : high_; }

 private:
  double high_ = 0;
  double low_ = 0;
};

}  // namespace meshmul::checking
