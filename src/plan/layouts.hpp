#pragma once
// Compute layouts: every way to cut the indices of a product over the mesh so that each device multiplies what it
// holds.

#include <functional>
#include <vector>

#include "meshmul/statement.hpp"
#include "plan/cost/product.hpp"
#include "plan/packed_sharding.hpp"

namespace meshmul {

/// The indices of a product by number: those of A in their order, then those of B alone.
struct ProductIndices {
  std::vector<std::int64_t> sizes;
  std::vector<int> a, b, c;                 ///< the index of each dimension
  std::vector<bool> contracted;             ///< by index
  std::vector<double ProductSize::*> part;  ///< by index: the extent of the local product that it is a part of

  /// Throws Error(kInvalidArgument) if an index has two sizes, or C has one that neither input has.
  explicit ProductIndices(const Product& product);
};

/// A layout gives each index an ordered list of axes, the same in both inputs. An axis left over repeats the work on
/// all its devices, or passes through an input that is partial over it: A{U_X} with a B that X neither cuts nor leaves
/// partial gives C{U_X}. Axes that cut a contracted index leave C partial.
struct ComputeLayout {
  PackedSharding indices;
  PackedSharding a, b, c;
};

/// Visits all layouts over `axes`, in the order of their texts, in which A is partial over some of `a_unreduced` and B
/// over some of `b_unreduced`. With three indices and no partial input there are 4, 19, 106, 685 over 1, 2, 3, 4 axes.
void for_each_compute_layout(const ProductIndices& indices, AxisSet axes, AxisSet a_unreduced, AxisSet b_unreduced,
                             const std::function<void(const ComputeLayout&)>& visit);

}  // namespace meshmul
