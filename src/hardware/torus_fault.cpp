// What can be wrong with a mapping onto a torus.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hardware/torus_mapping.hpp"

namespace meshmul {
namespace {

std::string grid_text(const std::vector<TorusAxis>& grid) {
  Slice sizes;
  for (const TorusAxis& axis : grid) sizes.push_back(axis.size);
  return slice_text(sizes);
}

/// Hardware axes that do not exist, or that two mesh axes want.
std::optional<MappingFault> find_claim_fault(const Mapping& mapping, const Mesh& mesh,
                                             const std::vector<TorusAxis>& axes) {
  std::vector<std::optional<std::size_t>> owners(axes.size());
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis)
    for (std::size_t entry = 0; entry < mapping.axes[axis].hardware_axes.size(); ++entry) {
      const int number = mapping.axes[axis].hardware_axes[entry];
      const auto fault = [&](std::string sentence) { return MappingFault{std::move(sentence), axis, entry}; };
      if (number < 0 || number >= static_cast<int>(axes.size()))
        return fault(fmt::format("the slice {} has no hardware axis {}", grid_text(axes), number));
      std::optional<std::size_t>& owner = owners[static_cast<std::size_t>(number)];
      if (owner == axis) return fault(fmt::format("hardware axis {} stands here twice", number));
      if (owner)
        return fault(fmt::format("hardware axis {} is that of mesh axis {}; an axis of a torus is never shared", number,
                                 mesh.axes()[*owner].name));
      owner = axis;
    }
  return std::nullopt;
}

/// One mesh axis whose hardware axes have other sizes, or no cycle.
std::optional<std::string> size_fault(const AxisMapping& mapping, const MeshAxis& mesh_axis,
                                      const std::vector<TorusAxis>& axes) {
  const std::vector<TorusAxis> grid = grid_of(mapping, axes);
  const bool is_one = mapping.hardware_axes.size() == 1;
  if (num_devices(grid) != mesh_axis.size)
    return fmt::format("mesh axis {} has {} devices, but hardware {} {} of the slice {} {} {}", mesh_axis.name,
                       mesh_axis.size, is_one ? "axis" : "axes", fmt::join(mapping.hardware_axes, "+"), grid_text(axes),
                       is_one ? "has" : "have", num_devices(grid));
  if (mapping.as_ring && !has_cycle(grid))
    return fmt::format(
        "no cycle leads once through all devices of {}: it takes an even number of them on two or more "
        "axes, or an axis that wraps",
        grid.size() < 2 ? fmt::format("a line of {}", mesh_axis.size) : grid_text(grid));
  return std::nullopt;
}

}  // namespace

std::optional<MappingFault> find_torus_fault(const Mapping& mapping, const Mesh& mesh,
                                             const std::vector<TorusAxis>& axes) {
  if (auto fault = find_claim_fault(mapping, mesh, axes)) return fault;
  for (std::size_t axis = 0; axis < mapping.axes.size(); ++axis) {
    if (mapping.axes[axis].hardware_axes.empty() && mesh.axes()[axis].size > 1) return without_place(mesh, axis);
    if (auto sentence = size_fault(mapping.axes[axis], mesh.axes()[axis], axes))
      return MappingFault{std::move(*sentence), axis, std::nullopt};
  }
  return std::nullopt;
}

}  // namespace meshmul
