#pragma once
// Cuts boxes into parts, and finds the groups of ranks that share the work of a reduction.

#include <vector>

#include "../placed_array.hpp"

namespace meshmul {

/// The dimension along which `box`, which has one, is cut into parts: the first that is long enough for all of them, else
/// the longest.
int dim_to_cut(const Box& box, int num_parts);

/// Part `index` of `num_parts` of `box`, as even as it goes, along `dim_to_cut`.
Box even_part(const Box& box, int num_parts, int index);

/// The same elements in fewer boxes: neighbours in the list that make up a box together become one.
std::vector<Box> merged(std::vector<Box> boxes);

/// Who adds what when partial sums become complete.
struct ReductionGroups {
  std::vector<int> summed;      ///< axes along which the terms lie
  std::vector<int> replicated;  ///< those of them along which `to` is not cut, so that the work is shared
};
ReductionGroups reduction_groups(const ArrayType& from, const ArrayType& to);

/// By rank, the part of its block of `to` that it adds up: a rank shares its block with the ranks along
/// `groups.replicated`.
std::vector<Box> shares_of_work(const Mesh& mesh, const PlacedArray& to, const ReductionGroups& groups);

}  // namespace meshmul
