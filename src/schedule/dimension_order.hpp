#pragma once
// How the dimensions of an array are reordered by a change of sharding that transposes.

#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/box.hpp"

namespace meshmul {

/// Dimensions correspond by the name of their index; those without a name, by position.
class DimensionOrder {
 public:
  DimensionOrder(const ArrayType& to, const ArrayType& from);

  bool is_same() const { return permutation_.empty(); }
  /// As in a copy: for each dimension of `to` the dimension of `from`; empty for the same order.
  const std::vector<int>& permutation() const { return permutation_; }

  /// The box of `from` that is `box` of `to`, and back.
  Box in_source(const Box& box) const;
  Box in_target(const Box& box) const;

 private:
  std::vector<int> permutation_;
};

}  // namespace meshmul
