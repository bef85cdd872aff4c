#pragma once
// Everything about a product that is the same on every machine: the states of its arrays, and all compute layouts with the
// price of their local products.

#include <optional>
#include <vector>

#include "meshmul/statement.hpp"
#include "plan/cost/product.hpp"
#include "plan/layouts.hpp"
#include "plan/state_space.hpp"

namespace meshmul {

/// A layout with the numbers of its states and the price of its local product.
struct PricedLayout {
  int a = 0, b = 0, c = 0;
  StepCost product;
};

class ProductSpace {
 public:
  /// Partial sums travel in `wire_dtype`; without it, in that of the output. The references must outlive it.
  ProductSpace(const Product& product, const AxisNumbering& axes, const ProductRates& rates,
               std::optional<Dtype> wire_dtype);

  const Product& product() const { return product_; }
  const AxisNumbering& axes() const { return axes_; }
  const StateSpace& a() const { return a_; }
  const StateSpace& b() const { return b_; }
  const StateSpace& c() const { return c_; }
  /// In the order of their texts.
  const std::vector<PricedLayout>& layouts() const { return layouts_; }

 private:
  AxisSet may_be_unreduced(const ArrayType& input) const;
  AxisSet possible_partial_axes() const;
  void price_layouts(const ProductRates& rates);

  const Product& product_;
  const AxisNumbering& axes_;
  ProductIndices indices_;
  AxisSet c_unreduced_;
  /// Axes over which A, or B, may be partial.
  AxisSet a_unreduced_, b_unreduced_;
  StateSpace a_, b_, c_;
  std::vector<PricedLayout> layouts_;
};

}  // namespace meshmul
