#include "ring.hpp"

#include <algorithm>

#include "cut.hpp"

namespace meshmul {
namespace {

// Where an axis stands: the number of its dimension, -1 in {U_…}, -2 nowhere.
int place_of(int axis, const Sharding& sharding) {
  const auto holds = [axis](const std::vector<int>& axes) {
    return std::find(axes.begin(), axes.end(), axis) != axes.end();
  };
  if (holds(sharding.unreduced)) return -1;
  const auto dim = std::find_if(sharding.dims.begin(), sharding.dims.end(), holds);
  return dim == sharding.dims.end() ? -2 : static_cast<int>(dim - sharding.dims.begin());
}

}  // namespace

std::vector<Ring> rings_along(const Mesh& mesh, const std::vector<int>& axes) {
  std::vector<Ring> rings;
  for (int rank = 0; rank < mesh.num_devices(); ++rank)
    if (mesh.group_index(rank, axes) == 0) rings.emplace_back(mesh.group(rank, axes));
  return rings;
}

std::vector<int> moved_axes(const ArrayType& from, const ArrayType& to) {
  std::vector<int> candidates = from.sharding.unreduced;
  for (const std::vector<int>& axes : from.sharding.dims) candidates.insert(candidates.end(), axes.begin(), axes.end());
  std::erase_if(candidates, [&](int axis) { return place_of(axis, from.sharding) == place_of(axis, to.sharding); });
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

Box Stream::share(const Box& block, int distance) const {
  if (distance < num_hops || (distance == num_hops && !splits_last)) return block;
  if (distance > num_hops) return Box(std::vector<Interval>(static_cast<std::size_t>(block.num_dims())));
  return even_part(block, 2, step > 0 ? 0 : 1);
}

std::vector<Stream> streams_of(int ring_size, Ways ways, int lane_pair) {
  const std::string forward = copy_lane(2 * lane_pair);
  if (ways == Ways::kOne) return {{forward, "forward", 1, ring_size - 1, false}};
  const bool has_opposite = ring_size % 2 == 0;
  return {{forward, "forward", 1, ring_size / 2, has_opposite},
          {copy_lane(2 * lane_pair + 1), "backward", -1, ring_size / 2, has_opposite}};
}

}  // namespace meshmul
