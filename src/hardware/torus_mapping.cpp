#include "hardware/torus_mapping.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace meshmul {
namespace {

constexpr std::size_t kNoMeshAxis = static_cast<std::size_t>(-1);

std::vector<TorusAxis> grid_of(const AxisMapping& mapping, const std::vector<TorusAxis>& axes) {
  std::vector<TorusAxis> grid;
  for (const int axis : mapping.hardware_axes)
    if (const TorusAxis& torus = axes[static_cast<std::size_t>(axis)]; torus.size > 1) grid.push_back(torus);
  return grid;
}

std::int64_t num_devices(const std::vector<TorusAxis>& grid) {
  std::int64_t devices = 1;
  for (const TorusAxis& axis : grid) devices *= axis.size;
  return devices;
}

std::string sizes_text(const std::vector<TorusAxis>& grid) {
  std::vector<std::int64_t> sizes;
  for (const TorusAxis& axis : grid) sizes.push_back(axis.size);
  return fmt::format("{}", fmt::join(sizes, "x"));
}

/// Calls `visit` with every way to give each hardware axis longer than 1 a mesh axis. Axes that are alike get theirs in
/// ascending order: any other order is the same torus. `fits(mesh_axis, hardware_axis)` prunes; `give` and `take_back` keep count.
class Assignments {
 public:
  using Owners = std::vector<std::size_t>;  ///< by hardware axis; kNoMeshAxis for one of size 1

  Assignments(std::size_t num_mesh_axes, const std::vector<TorusAxis>& axes, std::vector<std::int64_t> left)
      : num_mesh_axes_(num_mesh_axes), axes_(axes), left_(std::move(left)), owners_(axes.size(), kNoMeshAxis) {}

  /// `left` are the devices that each mesh axis still needs; an axis whose size does not divide them does not fit. Empty:
  /// every axis fits.
  void visit(const std::function<void(const Owners&)>& visitor) { assign(0, visitor); }

 private:
  std::size_t first_owner(std::size_t hardware_axis) const {
    for (std::size_t before = hardware_axis; before-- > 0;)
      if (axes_[before] == axes_[hardware_axis]) return owners_[before];
    return 0;
  }

  void assign(std::size_t hardware_axis, const std::function<void(const Owners&)>& visitor) {
    if (hardware_axis == axes_.size()) return visitor(owners_);
    const std::int64_t size = axes_[hardware_axis].size;
    if (size == 1) return assign(hardware_axis + 1, visitor);
    for (std::size_t owner = first_owner(hardware_axis); owner < num_mesh_axes_; ++owner) {
      if (!left_.empty() && left_[owner] % size != 0) continue;
      if (!left_.empty()) left_[owner] /= size;
      owners_[hardware_axis] = owner;
      assign(hardware_axis + 1, visitor);
      if (!left_.empty()) left_[owner] *= size;
    }
  }

  std::size_t num_mesh_axes_;
  const std::vector<TorusAxis>& axes_;
  std::vector<std::int64_t> left_;
  Owners owners_;
};

Mapping mapping_of(const Assignments::Owners& owners, std::size_t num_mesh_axes) {
  Mapping mapping{std::vector<AxisMapping>(num_mesh_axes)};
  for (std::size_t axis = 0; axis < owners.size(); ++axis)
    if (owners[axis] != kNoMeshAxis) mapping.axes[owners[axis]].hardware_axes.push_back(static_cast<int>(axis));
  return mapping;
}

/// `mapping` and all that lay some of its mesh axes as cycles, where there are any.
void append_with_cycles(const Mapping& mapping, const std::vector<TorusAxis>& axes, std::vector<Mapping>& found) {
  const std::size_t first = found.size();
  found.push_back(mapping);
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis) {
    if (mapping.axes[axis].hardware_axes.size() < 2 || !has_cycle(grid_of(mapping.axes[axis], axes))) continue;
    for (std::size_t i = first, end = found.size(); i < end; ++i) {
      found.push_back(found[i]);
      found.back().axes[axis].as_ring = true;
    }
  }
}

}  // namespace

std::vector<TorusAxis> torus_axes(const Hardware& hardware, const Slice& slice, TopologyRule rule) {
  std::vector<TorusAxis> axes;
  for (std::size_t axis = 0; axis < slice.size(); ++axis) {
    const bool by_rule = rule == TopologyRule::kSlice ? wraps(hardware, slice, static_cast<int>(axis))
                                                      : rule == TopologyRule::kWrap && slice[axis] > 1;
    axes.push_back({slice[axis], by_rule});
  }
  return axes;
}

bool has_cycle(const std::vector<TorusAxis>& grid) {
  const auto is_long = [](const TorusAxis& axis) { return axis.size > 1; };
  const auto is_ring = [](const TorusAxis& axis) { return axis.wraps; };
  if (std::any_of(grid.begin(), grid.end(), is_ring)) return true;
  return std::count_if(grid.begin(), grid.end(), is_long) > 1 && num_devices(grid) % 2 == 0;
}

std::optional<MappingFault> find_torus_fault(const Mapping& mapping, const Mesh& mesh, const Slice& slice,
                                             const std::vector<TorusAxis>& axes) {
  std::vector<std::size_t> owners(axes.size(), kNoMeshAxis);
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis) {
    const AxisMapping& part = mapping.axes[axis];
    const MeshAxis& mesh_axis = mesh.axes()[axis];
    for (std::size_t entry = 0; entry < part.hardware_axes.size(); ++entry) {
      const int number = part.hardware_axes[entry];
      if (number < 0 || number >= static_cast<int>(axes.size()))
        return MappingFault{fmt::format("the slice {} has no hardware axis {}; expected 0 to {}", slice_text(slice),
                                        number, axes.size() - 1),
                            axis, entry};
      std::size_t& owner = owners[static_cast<std::size_t>(number)];
      if (owner != kNoMeshAxis)
        return MappingFault{fmt::format("hardware axis {} has mesh axis {} already; mesh axes never share an axis of a "
                                        "torus",
                                        number, mesh.axes()[owner].name),
                            axis, entry};
      owner = axis;
    }
    const std::vector<TorusAxis> grid = grid_of(part, axes);
    if (part.hardware_axes.empty() && mesh_axis.size > 1) return without_place(mesh, axis);
    if (num_devices(grid) != mesh_axis.size)
      return MappingFault{
          fmt::format("mesh axis {} has {} devices, hardware {} {} of the slice {} {}; expected as many",
                      mesh_axis.name, mesh_axis.size, part.hardware_axes.size() == 1 ? "axis" : "axes",
                      fmt::join(part.hardware_axes, "+"), slice_text(slice), num_devices(grid)),
          axis, std::nullopt};
    if (part.as_ring && !has_cycle(grid))
      return MappingFault{fmt::format("no cycle leads once through all devices of {}; expected an even number of them "
                                      "on two or more axes, or an axis that wraps",
                                      grid.size() < 2 ? fmt::format("a line of {}", mesh_axis.size) : sizes_text(grid)),
                          axis, std::nullopt};
  }
  return std::nullopt;
}

Topology torus_topology(const Mapping& mapping, const std::vector<TorusAxis>& axes) {
  Topology topology;
  for (const AxisMapping& part : mapping.axes) {
    std::vector<TorusAxis> grid = grid_of(part, axes);
    if (part.as_ring) grid = {{num_devices(grid), true}};
    topology.torus.push_back(std::move(grid));
  }
  return topology;
}

std::vector<Mapping> torus_mappings(const Mesh& mesh, const std::vector<TorusAxis>& axes) {
  std::vector<std::int64_t> sizes;
  for (const MeshAxis& axis : mesh.axes()) sizes.push_back(axis.size);
  std::vector<Mapping> found;
  Assignments(sizes.size(), axes, sizes).visit([&](const Assignments::Owners& owners) {
    append_with_cycles(mapping_of(owners, sizes.size()), axes, found);
  });
  return found;
}

std::vector<Mesh> nearest_meshes(const Mesh& mesh, const std::vector<TorusAxis>& axes) {
  constexpr std::size_t kNumNearest = 2;
  std::vector<std::pair<double, std::vector<MeshAxis>>> found;
  Assignments(mesh.axes().size(), axes, {}).visit([&](const Assignments::Owners& owners) {
    std::vector<MeshAxis> near = mesh.axes();
    for (MeshAxis& axis : near) axis.size = 1;
    for (std::size_t axis = 0; axis < owners.size(); ++axis)
      if (owners[axis] != kNoMeshAxis) near[owners[axis]].size *= axes[axis].size;
    double distance = 0;
    for (std::size_t axis = 0; axis < near.size(); ++axis)
      distance +=
          std::abs(std::log2(static_cast<double>(near[axis].size) / static_cast<double>(mesh.axes()[axis].size)));
    found.emplace_back(distance, std::move(near));
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& one, const auto& other) { return one.first < other.first; });
  std::vector<Mesh> meshes;
  for (const auto& [distance, near] : found)
    if (meshes.size() < kNumNearest && std::find(meshes.begin(), meshes.end(), Mesh(near)) == meshes.end())
      meshes.emplace_back(near);
  return meshes;
}

}  // namespace meshmul
