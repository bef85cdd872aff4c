#include "plan/product_space.hpp"

namespace meshmul {
namespace {

AxisSet unreduced_axes(const ArrayType& array, const AxisNumbering& axes) {
  return axes.pack(array.sharding).unreduced;
}

}  // namespace

ProductSpace::ProductSpace(const Product& product, const AxisNumbering& axes, const ProductRates& rates,
                           std::optional<Dtype> wire_dtype)
    : product_(product),
      axes_(axes),
      indices_(product),
      c_unreduced_(unreduced_axes(product.c, axes)),
      a_unreduced_(may_be_unreduced(product.a)),
      b_unreduced_(may_be_unreduced(product.b)),
      a_(product.a, {product.a.dtype, product.a.dtype, c_unreduced_}, a_unreduced_, axes),
      b_(product.b, {product.b.dtype, product.b.dtype, c_unreduced_}, b_unreduced_, axes),
      c_(product.c, {wire_dtype.value_or(product.c.dtype), product.c.dtype, c_unreduced_}, possible_partial_axes(),
         axes) {
  price_layouts(rates);
}

/// All if it is partial already, else those of the output, since making a small input partial takes less memory than making
/// the output so.
AxisSet ProductSpace::may_be_unreduced(const ArrayType& input) const {
  return unreduced_axes(input, axes_) != 0 ? axes_.all() : c_unreduced_;
}

/// Axes over which C can be partial at some moment.
AxisSet ProductSpace::possible_partial_axes() const {
  AxisSet partial = a_unreduced_ | b_unreduced_;
  for (const bool contracted : indices_.contracted)
    if (contracted) partial |= axes_.all();
  return partial;
}

void ProductSpace::price_layouts(const ProductRates& rates) {
  std::vector<Extents> extents;
  for (const std::int64_t size : indices_.sizes) extents.emplace_back(size, axes_);
  const auto price = [&](const ComputeLayout& layout) {
    PricedLayout priced{a_.find(layout.a), b_.find(layout.b), c_.find(layout.c), {}};
    ProductSize size;
    for (std::size_t index = 0; index < extents.size(); ++index)
      size.*indices_.part[index] *= extents[index][layout.indices.dims[index].set()];
    priced.product = product_cost(rates, size, a_.bytes(priced.a) + b_.bytes(priced.b) + c_.bytes(priced.c));
    layouts_.push_back(priced);
  };
  for_each_compute_layout(indices_, axes_.all(), a_unreduced_, b_unreduced_, price);
}

}  // namespace meshmul
