#pragma once
// Single elements of a product, each recomputed on its own: in double-double, or modulo 2^32.

#include <vector>

#include "comparison.hpp"
#include "error_model.hpp"
#include "matrices.hpp"

namespace meshmul::checking {

/// Compares these elements. `dtype` is that of the output; i32 is computed modulo 2^32, floats in double-double.
Comparison recompute_elements(const ProductMatrices& product, Dtype dtype, const ErrorModel& model,
                              const std::vector<ElementPlace>& places, const CheckOptions& options);

}  // namespace meshmul::checking
