// Point to point: every rank takes what it already holds, and gets the rest from the nearest ranks that hold it. Serves
// AllGather, AllToAll, Permute, Redistribute and the last Slice; here AllGather_X over X=4 (numbers are blocks):
//
//     rank   before      after
//      0     0 . . .     0 1 2 3      gets 1 from rank 1, 2 from rank 2, 3 from rank 3
//      1     . 1 . .     0 1 2 3      gets 2 from rank 2, 3 from rank 3, 0 from rank 0
//      2     . . 2 .     0 1 2 3      …
//      3     . . . 3     0 1 2 3

#include <algorithm>
#include <cassert>
#include <utility>
#include <vector>

#include "../dimension_order.hpp"
#include "collectives.hpp"

namespace meshmul {
namespace {

int num_differing_axes(const Mesh& mesh, int a, int b) {
  int differing = 0;
  for (int axis = 0; axis < mesh.num_axes(); ++axis)
    if (mesh.coordinate(a, axis) != mesh.coordinate(b, axis)) ++differing;
  return differing;
}

// All ranks that hold the same term as `rank`: itself, then those that differ along one axis, then two, …; of these the
// next higher rank first, so that the ranks do not all turn to one peer.
std::vector<int> holders_by_distance(const Mesh& mesh, int rank, const std::vector<int>& unreduced) {
  std::vector<int> others;
  for (int axis = 0; axis < mesh.num_axes(); ++axis)
    if (std::find(unreduced.begin(), unreduced.end(), axis) == unreduced.end()) others.push_back(axis);
  std::vector<int> holders = mesh.group(rank, others);
  const auto distance = [&](int holder) {
    const int ahead = (holder - rank + mesh.num_devices()) % mesh.num_devices();
    return std::pair(num_differing_axes(mesh, rank, holder), ahead);
  };
  std::vector<std::pair<std::pair<int, int>, int>> keyed;
  for (const int holder : holders) keyed.emplace_back(distance(holder), holder);
  std::sort(keyed.begin(), keyed.end());
  std::transform(keyed.begin(), keyed.end(), holders.begin(), [](const auto& entry) { return entry.second; });
  return holders;
}

// Takes out of `missing` what `held` covers, and returns it.
std::vector<Box> take(std::vector<Box>& missing, const Box& held) {
  std::vector<Box> taken;
  std::vector<Box> rest;
  for (const Box& box : missing) {
    if (const Box common = intersect(box, held); !common.empty()) taken.push_back(common);
    for (const Box& part : subtract(box, held)) rest.push_back(part);
  }
  missing = std::move(rest);
  return taken;
}

}  // namespace

void direct_exchange(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to) {
  assert(from.type.sharding.unreduced == to.type.sharding.unreduced);
  const DimensionOrder order(to.type, from.type);
  const bool same_bytes = order.is_same() && from.type.dtype == to.type.dtype;
  for (int rank = 0; rank < builder.num_ranks(); ++rank) {
    std::vector<Box> missing;
    if (!to.held(rank).empty()) missing.push_back(order.in_source(to.held(rank)));
    for (const int holder : holders_by_distance(builder.mesh(), rank, from.type.sharding.unreduced)) {
      if (missing.empty()) break;
      for (const Box& part : take(missing, from.held(holder))) {
        const Region dst = to.region(rank, order.in_target(part));
        const Region src = from.region(holder, part);
        if (same_bytes && holder != rank)
          builder.get(kCopyLane0, dst, src);
        else
          builder.copy(dst, src, order.permutation());
      }
    }
    assert(missing.empty());
  }
}

}  // namespace meshmul
