#pragma once
// A change of sharding, or a collective: the output holds the elements of the input, its terms added up.

#include "comparison.hpp"
#include "meshmul/check.hpp"

namespace meshmul::checking {

/// Compares every element. Without partial sums both have to be equal; sums may be off by one rounding to the wire dtype
/// and one in the accumulator for each partial sum, times the sum of the absolute values, and one to the output's dtype.
Comparison compare_moved(const ArrayType& from, const ArrayType& to, const Terms& input, const Terms& output,
                         const CheckOptions& options);

}  // namespace meshmul::checking
