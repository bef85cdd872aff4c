#include "comparison.hpp"

#include <cmath>
#include <limits>

#include "meshmul/element.hpp"

namespace meshmul::checking {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The value as an element of `dtype`; 8-bit floats become NaN where others become infinite.
double rounded(Dtype dtype, double value) {
  return with_element_type(dtype, [&]<class T>() {
    if constexpr (std::is_integral_v<T>)
      return value;
    else
      return to_double(convert<T>(value));
  });
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

double Compared::severity() const {
  if (error == 0 || (std::isfinite(error) && std::isinf(bound))) return 0;
  return bound > 0 ? error / bound : kInfinity;
}

void Comparison::add(Dtype dtype, std::int64_t offset, double found, double expected, double bound) {
  Compared compared{offset, std::fabs(found - expected), bound, found, expected};
  if (same(found, expected)) {
    compared.error = 0;
  } else if (!std::isfinite(found) || !std::isfinite(expected)) {
    // One bound away from zero, is it still what was found?
    const double farthest = expected + std::copysign(std::isfinite(bound) ? bound : 0, expected);
    const bool overflowed = !std::isfinite(found) && !std::isnan(expected) && same(found, rounded(dtype, farthest));
    compared.error = overflowed ? 0 : kInfinity;
  }
  if (!std::isfinite(expected)) compared.bound = 0;  // no rounding explains another value
  ++count_;
  if (compared.error > 0 && (std::isinf(compared.error) || compared.error > compared.bound)) ok_ = false;
  if (count_ == 1)
    worst_ = compared;
  else
    keep_worse(compared);
}

void Comparison::merge(const Comparison& other) {
  if (other.count_ == 0) return;
  ok_ = ok_ && other.ok_;
  if (count_ == 0)
    worst_ = other.worst_;
  else
    keep_worse(other.worst_);
  count_ += other.count_;
}

void Comparison::keep_worse(const Compared& compared) {
  const double mine = worst_.severity();
  const double theirs = compared.severity();
  if (theirs > mine || (theirs == mine && compared.offset < worst_.offset)) worst_ = compared;
}

}  // namespace meshmul::checking
