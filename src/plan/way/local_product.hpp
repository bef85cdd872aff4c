#pragma once
// Whether the shards of two arrays can be multiplied where they lie, and what that gives.

#include <optional>
#include <string>

#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

/// Why the shards of `product.a` and `product.b` cannot be multiplied where they lie; nothing if they can. An index of
/// both must be cut alike in both; an axis that cuts an index of one alone, or over which one is partial, must not be
/// used by the other.
std::optional<std::string> local_product_fault(const Product& product, const Mesh& mesh);

/// The sharding of what the shards give, for an output with the indices of `product.c`: each keeps the axes of its
/// index, and axes of contracted indices and of partial inputs leave partial sums. There is no fault.
Sharding local_product_sharding(const Product& product);

}  // namespace meshmul
