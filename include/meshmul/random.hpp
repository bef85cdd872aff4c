#pragma once
// Random arrays whose elements depend on a seed and their global position alone, so that any mesh gets the same.

#include <cstdint>
#include <string_view>

#include "meshmul/box.hpp"
#include "meshmul/host_array.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

struct RandomValues {
  std::uint64_t seed = 0;
  /// 0: floats uniform over the multiples of the dtype's spacing below 1 in [-1, 1), so no rounding takes place;
  /// integers from -128 to 127. m > 0: whole numbers from -m to m, for products whose sums are to be exact.
  std::int64_t whole_numbers_to = 0;
};

/// Fills `dst`, of the extents of `box`, with the elements that `box` holds of the random array of shape `global`.
/// Element number i in row-major order is a hash (splitmix64) of the seed and i. Throws Error(kInvalidArgument) if
/// whole_numbers_to is negative or larger than the dtype holds exactly.
void fill_random(View dst, const Box& box, const Shape& global, const RandomValues& values);

/// The whole random array.
HostArray random_array(Dtype dtype, const Shape& shape, const RandomValues& values);

/// A seed of its own for the array called `name`, so that A and B of one run differ.
std::uint64_t seed_for(std::uint64_t seed, std::string_view name);

}  // namespace meshmul
