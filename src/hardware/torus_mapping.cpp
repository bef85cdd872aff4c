#include "hardware/torus_mapping.hpp"

#include <algorithm>
#include <cmath>

#include "hardware/axis_assignments.hpp"

namespace meshmul {
namespace {

using Owners = AxisAssignments::Owners;

Mapping mapping_of(const Owners& owners, std::size_t num_mesh_axes) {
  Mapping mapping{std::vector<AxisMapping>(num_mesh_axes)};
  for (std::size_t axis = 0; axis < owners.size(); ++axis)
    if (owners[axis] != AxisAssignments::kNoMeshAxis)
      mapping.axes[owners[axis]].hardware_axes.push_back(static_cast<int>(axis));
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

std::vector<MeshAxis> mesh_axes_of(const Owners& owners, const std::vector<TorusAxis>& axes, const Mesh& mesh) {
  std::vector<MeshAxis> made = mesh.axes();
  for (MeshAxis& axis : made) axis.size = 1;
  for (std::size_t axis = 0; axis < owners.size(); ++axis)
    if (owners[axis] != AxisAssignments::kNoMeshAxis) made[owners[axis]].size *= axes[axis].size;
  return made;
}

/// Octaves between the sizes of two meshes with the same axes.
double distance(const std::vector<MeshAxis>& one, const std::vector<MeshAxis>& other) {
  double sum = 0;
  for (std::size_t axis = 0; axis < one.size(); ++axis)
    sum += std::abs(std::log2(static_cast<double>(one[axis].size) / static_cast<double>(other[axis].size)));
  return sum;
}

}  // namespace

std::vector<TorusAxis> torus_axes(const Hardware& hardware, const Slice& slice, TopologyRule rule) {
  std::vector<TorusAxis> axes;
  for (std::size_t axis = 0; axis < slice.size(); ++axis) {
    const bool is_ring = rule == TopologyRule::kSlice ? wraps(hardware, slice, static_cast<int>(axis))
                                                      : rule == TopologyRule::kWrap && slice[axis] > 1;
    axes.push_back({slice[axis], is_ring});
  }
  return axes;
}

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

bool has_cycle(const std::vector<TorusAxis>& grid) {
  const auto is_long = [](const TorusAxis& axis) { return axis.size > 1; };
  const auto is_ring = [](const TorusAxis& axis) { return axis.wraps; };
  if (std::any_of(grid.begin(), grid.end(), is_ring)) return true;
  return std::count_if(grid.begin(), grid.end(), is_long) > 1 && num_devices(grid) % 2 == 0;
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
  AxisAssignments(sizes.size(), axes).visit_fitting(sizes, [&](const Owners& owners) {
    append_with_cycles(mapping_of(owners, sizes.size()), axes, found);
  });
  return found;
}

std::vector<Mesh> nearest_meshes(const Mesh& mesh, const std::vector<TorusAxis>& axes) {
  constexpr std::size_t kNumNearest = 2;
  std::vector<std::vector<MeshAxis>> found;
  AxisAssignments(mesh.axes().size(), axes).visit_all([&](const Owners& owners) {
    std::vector<MeshAxis> made = mesh_axes_of(owners, axes, mesh);
    if (std::find(found.begin(), found.end(), made) == found.end()) found.push_back(std::move(made));
  });
  std::stable_sort(found.begin(), found.end(), [&](const auto& one, const auto& other) {
    return distance(one, mesh.axes()) < distance(other, mesh.axes());
  });
  found.resize(std::min(found.size(), kNumNearest));
  return {found.begin(), found.end()};
}

}  // namespace meshmul
