#include "plan/dimension_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meshmul/error.hpp"

namespace meshmul {

ArrayType in_order_of(const ArrayType& from, const ArrayType& to) {
  ArrayType ordered = from;
  ordered.open = to.open;
  ordered.sharding = Sharding::replicated(from.num_dims());
  ordered.sharding.unreduced = to.sharding.unreduced;
  for (std::size_t d = 0; d < from.dims.size(); ++d) {
    const bool named = !from.dims[d].index.empty();
    const auto found = named ? std::find(to.dims.begin(), to.dims.end(), from.dims[d])
                             : to.dims.begin() + static_cast<std::ptrdiff_t>(std::min(d, to.dims.size()));
    if (found == to.dims.end() || to.dims.size() != from.dims.size() || to.dtype != from.dtype ||
        *found != from.dims[d])
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("the two sides of a change of sharding of {} differ in dimensions or dtype", from.name));
    if (!to.open) ordered.sharding.dims[d] = to.sharding.dims[static_cast<std::size_t>(found - to.dims.begin())];
  }
  return ordered;
}

std::vector<std::size_t> places_in(const ArrayType& from, const ArrayType& to) {
  std::vector<std::size_t> places;
  for (std::size_t d = 0; d < to.dims.size(); ++d) {
    const auto found = std::find(from.dims.begin(), from.dims.end(), to.dims[d]);
    places.push_back(to.dims[d].index.empty() ? d : static_cast<std::size_t>(found - from.dims.begin()));
  }
  return places;
}

}  // namespace meshmul
