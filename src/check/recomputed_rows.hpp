#pragma once
// Whole rows of a product, recomputed in f64 block by block.

#include <cstdint>
#include <vector>

#include "comparison.hpp"
#include "error_model.hpp"
#include "matrices.hpp"

namespace meshmul::checking {

/// Rows of one batch entry.
struct RowSet {
  std::int64_t batch = 0;
  std::vector<std::int64_t> rows;
};

/// Compares every element of the given rows. `dtype` is that of the output. Integers are exact as long as their sums
/// stay below 2^53, and are compared modulo 2^32.
Comparison recompute_rows(const ProductMatrices& product, Dtype dtype, const ErrorModel& model,
                          const std::vector<RowSet>& row_sets, const CheckOptions& options);

}  // namespace meshmul::checking
