#pragma once
// Ways to give the axes of a torus to the axes of a mesh.

#include <cstdint>
#include <functional>
#include <vector>

#include "meshmul/topology.hpp"

namespace meshmul {

/// Visits every way to give each hardware axis longer than 1 one mesh axis. Hardware axes that are alike get theirs in
/// ascending order, because any other order is the same torus.
class AxisAssignments {
 public:
  static constexpr std::size_t kNoMeshAxis = static_cast<std::size_t>(-1);
  using Owners = std::vector<std::size_t>;  ///< by hardware axis; kNoMeshAxis for one of size 1

  /// `axes` must outlive this.
  AxisAssignments(std::size_t num_mesh_axes, const std::vector<TorusAxis>& axes)
      : num_mesh_axes_(num_mesh_axes), axes_(axes), owners_(axes.size(), kNoMeshAxis) {}

  void visit_all(const std::function<void(const Owners&)>& visitor);

  /// Only ways in which the sizes of the hardware axes of each mesh axis make its size. Both have as many devices in all.
  void visit_fitting(std::vector<std::int64_t> mesh_sizes, const std::function<void(const Owners&)>& visitor);

 private:
  void assign(std::size_t hardware_axis, const std::function<void(const Owners&)>& visitor);
  std::size_t first_owner(std::size_t hardware_axis) const;

  std::size_t num_mesh_axes_;
  const std::vector<TorusAxis>& axes_;
  std::vector<std::int64_t> left_;  ///< what each mesh axis still needs; empty where anything fits
  Owners owners_;
};

}  // namespace meshmul
