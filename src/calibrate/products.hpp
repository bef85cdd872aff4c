#pragma once
// How long products take, by their extents.

#include "probe.hpp"

namespace meshmul::calibration {

/// Every m, n and k of the options, while all ranks multiply: the mean of the ranks.
ProductTimes measure_products(const Bench& bench, Dtype dtype);

/// The rate of the largest product, alone and while all ranks multiply.
AloneAndBusy measure_largest_product(const Bench& bench, Dtype dtype);

}  // namespace meshmul::calibration
