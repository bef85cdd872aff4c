#pragma once
// Every row of a product at once, by a random vector x: c * x has to be a * (b * x), which costs no more than reading the
// arrays (Freivalds, 1979). One wrong element shows in its row.

#include <vector>

#include "comparison.hpp"
#include "error_model.hpp"
#include "matrices.hpp"

namespace meshmul::checking {

struct VectorTest {
  Comparison rows;  ///< offsets are those of the first elements of the rows
  /// Elements that are not finite though their row of a and column of b are: whether that is right, a sum cannot tell.
  /// One for each such row, which is left out.
  std::vector<ElementPlace> suspects;
};

/// Compares c * x with a * (b * x) for every row of every batch entry. For floats x is of random signs, and rows of a
/// and columns of b that are not finite are left out; for i32 it is of random odd numbers, and the comparison is exact
/// modulo 2^32. `dtype` is that of the output.
VectorTest test_rows(const ProductMatrices& product, Dtype dtype, const ErrorModel& model, const CheckOptions& options);

}  // namespace meshmul::checking
