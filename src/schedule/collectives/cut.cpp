#include "cut.hpp"

#include <algorithm>

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

}  // namespace

Box even_part(const Box& box, int num_parts, int index) {
  if (box.num_dims() == 0) return box;
  int dim = 0;
  while (dim < box.num_dims() && box[dim].size() < num_parts) ++dim;
  if (dim == box.num_dims()) {
    const auto* longest = std::max_element(box.begin(), box.end(),
                                           [](const Interval& a, const Interval& b) { return a.size() < b.size(); });
    dim = static_cast<int>(longest - box.begin());
  }
  Box part = box;
  part[dim] = cut(box[dim], num_parts, index);
  return part;
}

ReductionGroups reduction_groups(const ArrayType& from, const ArrayType& to) {
  ReductionGroups groups;
  for (const int axis : from.sharding.unreduced) {
    if (contains(to.sharding.unreduced, axis)) continue;
    groups.summed.push_back(axis);
    const auto& dims = to.sharding.dims;
    const bool is_cut = std::any_of(dims.begin(), dims.end(), [&](const auto& axes) { return contains(axes, axis); });
    if (!is_cut && to.num_dims() > 0) groups.replicated.push_back(axis);  // a scalar has no parts to share
  }
  return groups;
}

std::vector<Box> shares_of_work(const Mesh& mesh, const PlacedArray& to, const ReductionGroups& groups) {
  const auto num_sharers = static_cast<int>(mesh.size(groups.replicated));
  std::vector<Box> shares;
  for (int rank = 0; rank < mesh.num_devices(); ++rank)
    shares.push_back(even_part(to.held(rank), num_sharers, mesh.group_index(rank, groups.replicated)));
  return shares;
}

}  // namespace meshmul
