#pragma once
// How far roundings may take a computed element from the exact one. docs/check.md derives the formula.

#include <cstdint>

#include "meshmul/check.hpp"
#include "meshmul/dtype.hpp"

namespace meshmul::checking {

/// The largest relative error of one rounding to `dtype`, to nearest: 2^-24 for f32. 0 for integers.
double unit_roundoff(Dtype dtype);

/// The largest absolute error where numbers are too small for a relative one: half the least subnormal.
double underflow_error(Dtype dtype);

/// Roundings that a sum of n products gathers in the accumulator, in units of roundoff. At most n, which is taken for
/// f64, where it is still far below any fault. For f32 above 100 terms 10 sqrt(n), which independent roundings pass with
/// a probability below 1e-21 (Higham and Mary, 2019, theorem 2.4); n of them would hide a lost block of a long sum.
double growth(Dtype accumulator, std::int64_t n);

/// What is known of one element of a product.
struct ElementSums {
  double expected = 0;
  double absolute = 0;       ///< at least the sum over k of |a||b|
  double root_squares = 0;   ///< at least the root of the sum over k of (ab)^2
  double partial_range = 0;  ///< how far its partial sums spread, over contiguous parts of the contraction
};

/// The bound of a product's elements:
///   s = sums * absolute + partial * (partial_range + 4 root_squares) + inputs * root_squares + underflow
///   bound = s + output * (|expected| + s)
struct ErrorModel {
  double sums = 0;       ///< growth(k) roundings in the accumulator
  double partial = 0;    ///< one rounding to the wire dtype for each partial sum
  double inputs = 0;     ///< reductions of partial inputs ahead of the product
  double output = 0;     ///< the last rounding
  double underflow = 0;  ///< absolute

  double bound(const ElementSums& element) const;
};

/// For a product of `k` terms a sum, of inputs that are sums of `a_terms` and `b_terms` arrays. All zeros, that is
/// exact, for integers.
ErrorModel error_model(const Product& product, std::int64_t k, std::size_t a_terms, std::size_t b_terms,
                       const CheckOptions& options);

}  // namespace meshmul::checking
