#include "holders.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace meshmul {
namespace {

int num_differing_axes(const Mesh& mesh, int a, int b) {
  int differing = 0;
  for (int axis = 0; axis < mesh.num_axes(); ++axis)
    if (mesh.coordinate(a, axis) != mesh.coordinate(b, axis)) ++differing;
  return differing;
}

// All ranks that hold the same term as `rank`, itself first, in the order in which they are asked.
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

std::vector<Holder> holders_of(const Mesh& mesh, const PlacedArray& from, int rank, const Box& wanted) {
  std::vector<Holder> holders;
  std::vector<Box> missing;
  if (!wanted.empty()) missing.push_back(wanted);
  for (const int holder : holders_by_distance(mesh, rank, from.type.sharding.unreduced)) {
    if (missing.empty()) break;
    for (const Box& part : take(missing, from.held(holder))) holders.push_back({holder, part});
  }
  assert(missing.empty());
  return holders;
}

}  // namespace meshmul
