#include "plan/layouts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// Calls `f` with every subset of `set`, the empty one first.
template <class F>
void for_each_subset(AxisSet set, F&& f) {
  for (unsigned subset = 0;; subset = (subset - set) & set) {
    f(subset);
    if (subset == set) return;
  }
}

PackedSharding operand(const PackedSharding& indices, const std::vector<int>& index_of_dim, AxisSet unreduced) {
  PackedSharding sharding;
  for (std::size_t dim = 0; dim < index_of_dim.size(); ++dim) {
    const auto index = static_cast<std::size_t>(index_of_dim[dim]);
    sharding.dims[dim] = indices.dims[index];
    sharding.cut |= indices.dims[index].set();
  }
  sharding.unreduced = unreduced;
  return sharding;
}

}  // namespace

ProductIndices::ProductIndices(const Product& product) {
  std::vector<std::string> names;
  const auto number = [&](const Dim& dim, bool may_be_new) {
    const auto known = std::find(names.begin(), names.end(), dim.index);
    const auto index = static_cast<std::size_t>(known - names.begin());
    if (known == names.end()) {
      if (!may_be_new)
        throw Error(ErrorCode::kInvalidArgument,
                    fmt::format("index {} of {} is in neither input", dim.index, product.c.name));
      names.push_back(dim.index);
      sizes.push_back(dim.size);
    } else if (sizes[index] != dim.size) {
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("index {} has the sizes {} and {}", dim.index, sizes[index], dim.size));
    }
    return static_cast<int>(index);
  };
  for (const Dim& dim : product.a.dims) a.push_back(number(dim, true));
  for (const Dim& dim : product.b.dims) b.push_back(number(dim, true));
  for (const Dim& dim : product.c.dims) c.push_back(number(dim, false));
  if (names.size() > kMaxDims)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("the product has {} indices; expected at most {}", names.size(), kMaxDims));
  contracted.assign(names.size(), true);
  for (const int index : c) contracted[static_cast<std::size_t>(index)] = false;
  for (std::size_t index = 0; index < names.size(); ++index) {
    const auto has = [&](const std::vector<int>& dims) {
      return std::find(dims.begin(), dims.end(), static_cast<int>(index)) != dims.end();
    };
    const bool shared = has(a) && has(b);
    if (contracted[index] && !shared)
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("index {} is in one input alone and not in {}", names[index], product.c.name));
    if (shared)
      part.push_back(contracted[index] ? &ProductSize::k : &ProductSize::batch);
    else
      part.push_back(has(a) ? &ProductSize::m : &ProductSize::n);
  }
}

void for_each_compute_layout(const ProductIndices& indices, AxisSet axes, AxisSet a_unreduced, AxisSet b_unreduced,
                             const std::function<void(const ComputeLayout&)>& visit) {
  for (const PackedSharding& cut : all_shardings(static_cast<int>(indices.sizes.size()), axes, 0)) {
    const AxisSet left_over = axes & ~cut.cut;
    AxisSet summed = 0;
    for (std::size_t index = 0; index < indices.sizes.size(); ++index)
      if (indices.contracted[index]) summed |= cut.dims[index].set();
    for_each_subset(left_over & a_unreduced, [&](AxisSet through_a) {
      for_each_subset(left_over & b_unreduced & ~through_a, [&](AxisSet through_b) {
        visit({cut, operand(cut, indices.a, through_a), operand(cut, indices.b, through_b),
               operand(cut, indices.c, summed | through_a | through_b)});
      });
    });
  }
}

}  // namespace meshmul
