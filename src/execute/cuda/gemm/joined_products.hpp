#pragma once
// Products of a run put together: rows below one another, and parts of one sum.

#include <cstdint>
#include <vector>

#include "execute/cuda/gemm/product.hpp"

namespace meshmul::cuda {

/// Adds a product, which comes behind the first `num_waits` waits of the run: as further rows of the one before it if it
/// lies right below it in memory and may.
void add_product(std::vector<Product>& products, Product product, std::int32_t num_waits, const ProductKind& kind,
                 bool may_join);

/// The last products go on with the parts of as many others, which come behind the first `num_waits` waits of the run.
void continue_sums(std::vector<Product>& products, const std::vector<Product>& more, std::int32_t num_waits);

}  // namespace meshmul::cuda
