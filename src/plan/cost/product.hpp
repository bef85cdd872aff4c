#pragma once
// The local product: the longer of computing and of moving its arrays between chip and memory.

#include "meshmul/cost_model.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/plan.hpp"

namespace meshmul {

/// A product of matrices, many times over: `batch` times m x k by k x n. Several indices of one part count as one that is
/// as long as their product.
struct ProductSize {
  double batch = 1, m = 1, n = 1, k = 1;

  double flops() const { return 2 * batch * m * n * k; }
};

/// How fast a chip multiplies by the settings at hand.
struct ProductRates {
  double flops_per_second = 0;  ///< of the dtype of the inputs
  double memory_bytes_per_second = 0;
  double matrix_unit = 0;  ///< m, n and k count as the next multiple of it; 0: as they are

  /// Throws Error(kInvalidArgument) if the chip has no rate for products of `dtype`.
  ProductRates(const Hardware& hardware, const CostSettings& settings, Dtype dtype);
};

/// docs/cost-model.md, formula (9). `memory_bytes` are those of both inputs and the result.
StepCost product_cost(const ProductRates& rates, const ProductSize& size, double memory_bytes);

}  // namespace meshmul
