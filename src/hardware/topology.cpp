// Lays meshes on slices: finds the slice, then leaves the rest to the kind of network.
#include "meshmul/topology.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/word_list.hpp"
#include "hardware/mapping_check.hpp"
#include "hardware/slice_text.hpp"
#include "hardware/switch_mapping.hpp"
#include "hardware/torus_mapping.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// Each mesh axis on an axis of its own; those of size 1 on none, so that a rule for whole slices does not see them.
Topology own_axes(const Mesh& mesh, const Hardware& hardware, TopologyRule rule) {
  Slice sizes;
  for (const MeshAxis& axis : mesh.axes())
    if (axis.size > 1) sizes.push_back(axis.size);
  const std::vector<TorusAxis> axes = torus_axes(hardware, sizes, rule);
  Topology topology;
  std::size_t next = 0;
  for (const MeshAxis& axis : mesh.axes())
    topology.torus.push_back(axis.size == 1 ? std::vector<TorusAxis>{} : std::vector<TorusAxis>{axes[next++]});
  return topology;
}

/// Whether `mesh` needs no slice of this hardware.
bool has_own_axes(const Mesh& mesh, const Hardware& hardware, TopologyRule rule) {
  return hardware.network.kind == NetworkKind::kTorus && hardware.slice.empty() &&
         (rule != TopologyRule::kSlice || mesh.num_devices() == 1 || !lists_slices(hardware));
}

/// The slices that a mesh may lie on. Throws if there is none.
std::vector<Slice> candidates(const Mesh& mesh, const Hardware& hardware) {
  if (!hardware.slice.empty()) return {hardware.slice};
  std::vector<Slice> slices = slices_with(hardware, mesh.num_devices());
  if (slices.empty()) throw Error(ErrorCode::kInvalidArgument, no_slice_for(mesh, hardware));
  return slices;
}

void append_placements(const Slice& slice, const Mesh& mesh, const Hardware& hardware, TopologyRule rule,
                       std::vector<Placement>& found) {
  const auto append = [&](Mapping mapping, Topology topology) {
    const auto is_same = [&](const Placement& placement) { return placement.topology == topology; };
    if (std::none_of(found.begin(), found.end(), is_same))
      found.push_back({slice, std::move(mapping), std::move(topology)});
  };
  if (hardware.network.kind == NetworkKind::kSwitch) {
    const NodeGrid grid = node_grid(slice);
    for (Mapping& mapping : switch_mappings(mesh, grid)) {
      Topology topology = switch_topology(mapping, mesh, grid);
      append(std::move(mapping), std::move(topology));
    }
    return;
  }
  const std::vector<TorusAxis> axes = torus_axes(hardware, slice, rule);
  for (Mapping& mapping : torus_mappings(mesh, axes)) {
    Topology topology = torus_topology(mapping, axes);
    append(std::move(mapping), std::move(topology));
  }
}

[[noreturn]] void fail_to_place(const std::vector<Slice>& slices, const Mesh& mesh, const Hardware& hardware) {
  std::vector<std::string> names, near;
  for (const Slice& slice : slices) {
    names.push_back(slice_text(slice));
    for (const Mesh& other : nearest_meshes(mesh, torus_axes(hardware, slice, TopologyRule::kSlice)))
      if (std::find(near.begin(), near.end(), other.str()) == near.end()) near.push_back(other.str());
  }
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("the mesh {} does not lie on a slice {} of {}: a mesh axis takes whole hardware axes, and they "
                  "are never shared; expected a mesh such as {}",
                  mesh.str(), word_list(names, "or"), hardware.name, word_list(near, "or")));
}

}  // namespace

std::optional<MappingFault> find_fault(const Mapping& mapping, const Mesh& mesh, const Slice& slice,
                                       const Hardware& hardware, TopologyRule rule) {
  const bool is_switch = hardware.network.kind == NetworkKind::kSwitch;
  const std::vector<TorusAxis> axes = torus_axes(hardware, slice, rule);
  std::optional<MappingFault> fault =
      is_switch ? find_switch_fault(mapping, mesh, node_grid(slice)) : find_torus_fault(mapping, mesh, axes);
  if (!fault) return std::nullopt;
  const std::vector<Mapping> good = is_switch ? switch_mappings(mesh, node_grid(slice)) : torus_mappings(mesh, axes);
  fault->sentence += good.empty() ? fmt::format("; no mapping lays {} on a slice {}", mesh.str(), slice_text(slice))
                                  : fmt::format("; expected a mapping such as {}", to_string(good[0], mesh));
  return fault;
}

Slice slice_to_map(const Mesh& mesh, const Hardware& hardware) {
  check_fits(mesh, hardware);
  if (hardware.network.kind == NetworkKind::kTorus && hardware.slice.empty() && !lists_slices(hardware))
    throw Error(
        ErrorCode::kInvalidArgument,
        fmt::format("a mapping names the axes of a slice; expected hardware with one, such as {}:4x4", hardware.name));
  const std::vector<Slice> slices = candidates(mesh, hardware);
  if (slices.size() == 1) return slices[0];
  std::vector<std::string> names;
  for (const Slice& slice : slices) names.push_back(fmt::format("{}:{}", hardware.name, slice_text(slice)));
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("a mapping names the axes of a slice; expected hardware with one: {}", word_list(names, "or")));
}

Topology resolve(const Mapping& mapping, const Mesh& mesh, const Hardware& hardware, TopologyRule rule) {
  if (mapping.axes.empty() && has_own_axes(mesh, hardware, rule)) return own_axes(mesh, hardware, rule);
  const Slice slice = slice_to_map(mesh, hardware);
  if (mapping.axes.size() != mesh.axes().size())
    throw Error(ErrorCode::kInvalidArgument, fmt::format("the mapping has {} mesh axes, the mesh {} has {}",
                                                         mapping.axes.size(), mesh.str(), mesh.num_axes()));
  if (const auto fault = find_fault(mapping, mesh, slice, hardware, rule))
    throw Error(ErrorCode::kInvalidArgument, fault->sentence);
  return hardware.network.kind == NetworkKind::kSwitch ? switch_topology(mapping, mesh, node_grid(slice))
                                                       : torus_topology(mapping, torus_axes(hardware, slice, rule));
}

std::vector<Placement> placements(const Mesh& mesh, const Hardware& hardware, TopologyRule rule) {
  check_fits(mesh, hardware);
  if (has_own_axes(mesh, hardware, rule)) return {{{}, {}, own_axes(mesh, hardware, rule)}};
  const std::vector<Slice> slices = candidates(mesh, hardware);
  std::vector<Placement> found;
  for (const Slice& slice : slices) append_placements(slice, mesh, hardware, rule, found);
  if (found.empty()) fail_to_place(slices, mesh, hardware);
  return found;
}

}  // namespace meshmul
