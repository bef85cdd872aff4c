#pragma once
// How an array lies on a mesh: which axes cut which dimension, and along which axes partial sums are still to be added.

#include <vector>

namespace meshmul {

/// Axes are numbers of a Mesh. An axis occurs at most once, in one dimension or in `unreduced`.
struct Sharding {
  /// For each dimension the axes that cut it, major to minor: with {x, y} block = x * |Y| + y.
  std::vector<std::vector<int>> dims;
  /// `{U_…}`: the devices along these axes hold partial sums. Kept sorted; it does not divide the bytes.
  std::vector<int> unreduced;

  static Sharding replicated(int num_dims) {
    return {std::vector<std::vector<int>>(static_cast<std::size_t>(num_dims)), {}};
  }

  bool operator==(const Sharding&) const = default;
};

}  // namespace meshmul
