#include "dimension_order.hpp"

#include <algorithm>
#include <cassert>

namespace meshmul {

DimensionOrder::DimensionOrder(const ArrayType& to, const ArrayType& from) {
  for (int d = 0; d < to.num_dims(); ++d) {
    const std::string& index = to.dims[static_cast<std::size_t>(d)].index;
    const auto same =
        std::find_if(from.dims.begin(), from.dims.end(), [&](const Dim& dim) { return dim.index == index; });
    assert(index.empty() || same != from.dims.end());
    permutation_.push_back(index.empty() ? d : static_cast<int>(same - from.dims.begin()));
  }
  if (std::is_sorted(permutation_.begin(), permutation_.end())) permutation_.clear();
}

Box DimensionOrder::in_source(const Box& box) const {
  Box moved = box;
  for (std::size_t d = 0; d < permutation_.size(); ++d) moved[permutation_[d]] = box[static_cast<int>(d)];
  return moved;
}

Box DimensionOrder::in_target(const Box& box) const {
  Box moved = box;
  for (std::size_t d = 0; d < permutation_.size(); ++d) moved[static_cast<int>(d)] = box[permutation_[d]];
  return moved;
}

}  // namespace meshmul
