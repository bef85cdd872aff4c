#pragma once
// The two sides of a change of sharding may have their dimensions in different orders; moves do not.

#include <cstddef>
#include <vector>

#include "meshmul/array_type.hpp"

namespace meshmul {

/// `to` with its dimensions in the order of `from`, and the name of `from`. Dimensions without an index keep their
/// places. Throws Error(kInvalidArgument) if the two differ in dimensions or dtype.
ArrayType in_order_of(const ArrayType& from, const ArrayType& to);

/// For each dimension of `to` the place that it has in `from`. `in_order_of` accepts the two.
std::vector<std::size_t> places_in(const ArrayType& from, const ArrayType& to);

}  // namespace meshmul
