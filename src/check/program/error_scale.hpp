#pragma once
// How far errors reach in each element of an array, from some samples of them.

#include <vector>

#include "meshmul/host_array.hpp"

namespace meshmul::checking {

/// `squares` holds, for each element of an array of `shape`, the sum of the squares of `samples` errors; `values` what the
/// elements are. Of each element the larger one of
///   - its share by the positions that it has: the product over the dimensions of the root mean square of the errors at this
///     position, by that of all; where a position has too few samples, its dimension is left out;
///   - the root mean square of all errors times |value|, by that of all values.
std::vector<double> error_scales(const std::vector<double>& squares, const std::vector<double>& values,
                                 const Shape& shape, int samples);

}  // namespace meshmul::checking
