#include "plan/packed_sharding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

constexpr int kBitsPerAxis = 4;
constexpr int kTopShift = 32 - kBitsPerAxis;

AxisSet single(int number) { return 1U << static_cast<unsigned>(number); }

/// Adds `begun` with every way to put axes of `unused` at the minor end of dimension `dim` and in those after it, in the
/// order of their texts: what stops sooner comes first.
void add_shardings(const PackedSharding& begun, std::size_t dim, std::size_t num_dims, AxisSet unused,
                   std::vector<PackedSharding>& shardings) {
  if (dim == num_dims) {
    shardings.push_back(begun);
    return;
  }
  add_shardings(begun, dim + 1, num_dims, unused, shardings);
  for (AxisSet rest = unused; rest != 0; rest &= rest - 1) {
    const int number = std::countr_zero(rest);
    PackedSharding longer = begun;
    longer.dims[dim].append(number);
    longer.cut |= single(number);
    add_shardings(longer, dim, num_dims, unused & ~single(number), shardings);
  }
}

}  // namespace

std::vector<PackedSharding> all_shardings(int num_dims, AxisSet axes, AxisSet may_be_unreduced) {
  std::vector<PackedSharding> shardings;
  const AxisSet may_be = axes & may_be_unreduced;
  for (AxisSet unreduced = 0;; unreduced = (unreduced - may_be) & may_be) {
    add_shardings({unreduced, {}, 0}, 0, static_cast<std::size_t>(num_dims), axes & ~unreduced, shardings);
    if (unreduced == may_be) return shardings;
  }
}

AxisNumbering::AxisNumbering(const Mesh& mesh) : mesh_(mesh), number_of_(static_cast<std::size_t>(mesh.num_axes()), 0) {
  for (int axis = 0; axis < mesh.num_axes(); ++axis)
    if (mesh.size(axis) > 1) mesh_axis_of_.push_back(axis);
  if (mesh_axis_of_.size() > kMaxLongAxes)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("the mesh {} has {} axes longer than 1; planning takes at most {}", mesh.str(),
                            mesh_axis_of_.size(), kMaxLongAxes));
  std::sort(mesh_axis_of_.begin(), mesh_axis_of_.end(), [&](int a, int b) { return mesh.name(a) < mesh.name(b); });
  for (std::size_t number = 0; number < mesh_axis_of_.size(); ++number) {
    number_of_[static_cast<std::size_t>(mesh_axis_of_[number])] = single(static_cast<int>(number));
    sizes_.push_back(mesh.size(mesh_axis_of_[number]));
  }
  for (unsigned axes = 0; axes <= all(); ++axes) {
    set_sizes_[axes] = 1;
    for (std::size_t number = 0; number < sizes_.size(); ++number)
      if ((axes >> number & 1U) != 0) set_sizes_[axes] *= sizes_[number];
  }
}

PackedSharding AxisNumbering::pack(const Sharding& sharding) const {
  PackedSharding packed;
  std::vector<bool> seen(number_of_.size(), false);
  const auto take = [&](int mesh_axis) {
    const auto axis = static_cast<std::size_t>(mesh_axis);
    if (mesh_axis < 0 || axis >= seen.size() || seen[axis])
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("a sharding uses mesh axis number {} twice, or the mesh has no such axis", mesh_axis));
    seen[axis] = true;
    return set_of(mesh_axis);
  };
  for (std::size_t dim = 0; dim < sharding.dims.size(); ++dim)
    for (const int mesh_axis : sharding.dims[dim]) {
      const AxisSet axis = take(mesh_axis);
      if (axis == 0) continue;
      packed.dims[dim].append(std::countr_zero(axis));
      packed.cut |= axis;
    }
  for (const int mesh_axis : sharding.unreduced) packed.unreduced = packed.unreduced | take(mesh_axis);
  return packed;
}

Sharding AxisNumbering::unpack(const PackedSharding& packed, int num_dims) const {
  Sharding sharding = Sharding::replicated(num_dims);
  for (std::size_t dim = 0; dim < static_cast<std::size_t>(num_dims); ++dim)
    for (std::uint32_t rest = packed.dims[dim].order; rest != 0; rest <<= kBitsPerAxis)
      sharding.dims[dim].push_back(mesh_axis_of_[(rest >> kTopShift) - 1]);
  sharding.unreduced = unpack(packed.unreduced);
  return sharding;
}

std::vector<int> AxisNumbering::unpack(AxisSet axes) const {
  std::vector<int> mesh_axes;
  for (std::size_t number = 0; number < mesh_axis_of_.size(); ++number)
    if ((axes >> number & 1U) != 0) mesh_axes.push_back(mesh_axis_of_[number]);
  std::sort(mesh_axes.begin(), mesh_axes.end());
  return mesh_axes;
}

}  // namespace meshmul
