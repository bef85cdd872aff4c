#include "cut.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

bool contains(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

// The box that two disjoint boxes make up, if they do: they meet along one dimension and are equal in the others.
std::optional<Box> joined(const Box& a, const Box& b) {
  std::optional<int> meeting;
  for (int d = 0; d < a.num_dims(); ++d) {
    if (a[d] == b[d]) continue;
    if (meeting || (a[d].end != b[d].begin && b[d].end != a[d].begin)) return std::nullopt;
    meeting = d;
  }
  if (!meeting) return std::nullopt;
  Box both = a;
  both[*meeting] = {std::min(a[*meeting].begin, b[*meeting].begin), std::max(a[*meeting].end, b[*meeting].end)};
  return both;
}

}  // namespace

int dim_to_cut(const Box& box, int num_parts) {
  int dim = 0;
  while (dim < box.num_dims() && box[dim].size() < num_parts) ++dim;
  if (dim < box.num_dims()) return dim;
  const auto* longest = std::max_element(box.begin(), box.end(),
                                         [](const Interval& a, const Interval& b) { return a.size() < b.size(); });
  return static_cast<int>(longest - box.begin());
}

Box even_part(const Box& box, int num_parts, int index) {
  if (box.num_dims() == 0) return box;
  Box part = box;
  Interval& interval = part[dim_to_cut(box, num_parts)];
  interval = cut(interval, num_parts, index);
  return part;
}

std::vector<Box> merged(std::vector<Box> boxes) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Box> fewer;
    for (const Box& box : boxes) {
      const std::optional<Box> both = fewer.empty() ? std::nullopt : joined(fewer.back(), box);
      changed = changed || both;
      if (both)
        fewer.back() = *both;
      else
        fewer.push_back(box);
    }
    boxes = std::move(fewer);
  }
  return boxes;
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
