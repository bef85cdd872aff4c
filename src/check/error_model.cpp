#include "error_model.hpp"

#include <algorithm>
#include <cmath>

namespace meshmul::checking {
namespace {

/// Below this, floats lose relative precision, or are taken for zero by units that do not hold subnormal numbers.
double least_normal(Dtype accumulator) { return accumulator == Dtype::kF64 ? 0x1p-1022 : 0x1p-126; }

/// A kind of rounding that does not happen takes nothing, however large what it would take its share of.
double share(double factor, double amount) { return factor == 0 ? 0 : factor * amount; }

}  // namespace

double unit_roundoff(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return 0x1p-53;
    case Dtype::kF32: return 0x1p-24;
    case Dtype::kBf16: return 0x1p-8;
    case Dtype::kF16: return 0x1p-11;
    case Dtype::kF8e4m3: return 0x1p-4;
    case Dtype::kI8:
    case Dtype::kI32: return 0;
  }
  __builtin_unreachable();
}

double underflow_error(Dtype dtype) {
  switch (dtype) {
    case Dtype::kF64: return 0;  // 2^-1075, which f64 itself does not hold
    case Dtype::kF32: return 0x1p-150;
    case Dtype::kBf16: return 0x1p-134;
    case Dtype::kF16: return 0x1p-25;
    case Dtype::kF8e4m3: return 0x1p-10;
    case Dtype::kI8:
    case Dtype::kI32: return 0;
  }
  __builtin_unreachable();
}

double growth(Dtype accumulator, std::int64_t n) {
  const auto terms = static_cast<double>(n);
  return accumulator == Dtype::kF64 ? terms : std::min(terms, 10 * std::sqrt(terms));
}

double ErrorModel::bound(const ElementSums& element) const {
  // Squares overflow long before the sum does, which is no smaller than their root.
  const double root_squares = std::min(element.root_squares, element.absolute);
  const double before_output = share(sums, element.absolute) +
                               share(partial, element.partial_range + 4 * root_squares) + share(inputs, root_squares) +
                               underflow;
  return before_output + output * (std::fabs(element.expected) + before_output);
}

ErrorModel error_model(const Product& product, std::int64_t k, std::size_t a_terms, std::size_t b_terms,
                       const CheckOptions& options) {
  const Dtype accumulator = accumulator_of(product.a.dtype);
  if (accumulator == Dtype::kI32) return {};
  const Dtype wire = options.wire_dtype.value_or(product.c.dtype);
  ErrorModel model;
  model.sums = growth(accumulator, k) * unit_roundoff(accumulator);
  model.output = unit_roundoff(product.c.dtype);
  model.underflow = static_cast<double>(k) * least_normal(accumulator) + underflow_error(product.c.dtype);
  if (options.partial_sums > 1) {
    const auto partial_sums = static_cast<double>(options.partial_sums);
    model.partial = partial_sums * unit_roundoff(wire);
    model.sums += partial_sums * unit_roundoff(accumulator);
    model.underflow += partial_sums * underflow_error(wire);
  }
  // Each term of an input may have been rounded once before the product; the roundings of different k are independent.
  const auto input_roundings = static_cast<double>(a_terms - 1 + b_terms - 1);
  model.inputs = 10 * input_roundings * unit_roundoff(options.wire_dtype.value_or(product.a.dtype));
  return model;
}

}  // namespace meshmul::checking
