#include "recomputed_elements.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "double_double.hpp"
#include "meshmul/error.hpp"
#include "modular.hpp"

namespace meshmul::checking {
namespace {

/// Positions of the contraction that are read at a time.
constexpr std::int64_t kBlock = 4096;

/// A row of a and a column of b, term by term: a product of sums is the sum of the products of all pairs of terms.
class Dot {
 public:
  Dot(const ProductMatrices& product, const ElementPlace& place) : product_(product), place_(place) {
    for (const HostArray* const term : product.a.terms()) a_.push_back(product.a.with_terms({term}));
    for (const HostArray* const term : product.b.terms()) b_.push_back(product.b.with_terms({term}));
  }

  /// Calls `visit(x, y)` for every pair of factors.
  template <class Visit>
  void for_each_pair(const Visit& visit) {
    const std::int64_t contraction = product_.a.num_columns();
    for (std::int64_t k = 0; k < contraction; k += kBlock) {
      const Interval block{k, std::min(k + kBlock, contraction)};
      x_.resize(static_cast<std::size_t>(block.size()));
      y_.resize(x_.size());
      b_rows_.resize(x_.size());
      std::iota(b_rows_.begin(), b_rows_.end(), block.begin);
      for (const Matrices& a : a_) {
        a.read(place_.batch, {&place_.row, 1}, block, Reading::kValue, x_.data());
        for (const Matrices& b : b_) {
          b.read(place_.batch, b_rows_, {place_.column, place_.column + 1}, Reading::kValue, y_.data());
          for (std::size_t i = 0; i < x_.size(); ++i) visit(x_[i], y_[i]);
        }
      }
    }
  }

 private:
  const ProductMatrices& product_;
  const ElementPlace& place_;
  std::vector<Matrices> a_, b_;
  std::vector<double> x_, y_;
  std::vector<std::int64_t> b_rows_;
};

double sum_modulo(Dot& dot) {
  std::uint32_t sum = 0;
  dot.for_each_pair([&](double x, double y) { sum += modulo_2_32(x) * modulo_2_32(y); });
  return wrapped(sum);
}

ElementSums sum_exactly(Dot& dot) {
  DoubleDouble sum;
  ElementSums sums;
  double squares = 0;
  dot.for_each_pair([&](double x, double y) {
    sum.add_product(x, y);
    sums.absolute += std::fabs(x * y);
    squares += (x * y) * (x * y);
  });
  sums.expected = sum.value();
  sums.root_squares = std::sqrt(squares);
  sums.partial_range = sums.absolute;
  return sums;
}

}  // namespace

Comparison recompute_elements(const ProductMatrices& product, Dtype dtype, const ErrorModel& model,
                              const std::vector<ElementPlace>& places, const CheckOptions& options) {
  Comparison comparison;
  for (const ElementPlace& place : places) {
    if (options.interrupted && options.interrupted()) throw Error(ErrorCode::kInterrupted, "the check was interrupted");
    Dot dot(product, place);
    ElementSums sums;
    if (dtype == Dtype::kI32)
      sums.expected = sum_modulo(dot);
    else
      sums = sum_exactly(dot);
    double found = 0;
    const Interval column{place.column, place.column + 1};
    product.c.read(place.batch, {&place.row, 1}, column, Reading::kValue, &found);
    if (dtype == Dtype::kI32) found = wrapped(found);
    comparison.add(dtype, product.c.row_offset(place.batch, place.row) + product.c.column_offsets(column)[0], found,
                   sums.expected, model.bound(sums));
  }
  return comparison;
}

}  // namespace meshmul::checking
