#include "hardware/axis_assignments.hpp"

#include <utility>

namespace meshmul {

void AxisAssignments::visit_all(const std::function<void(const Owners&)>& visitor) {
  left_.clear();
  assign(0, visitor);
}

void AxisAssignments::visit_fitting(std::vector<std::int64_t> mesh_sizes,
                                    const std::function<void(const Owners&)>& visitor) {
  left_ = std::move(mesh_sizes);
  assign(0, visitor);
}

void AxisAssignments::assign(std::size_t hardware_axis, const std::function<void(const Owners&)>& visitor) {
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

std::size_t AxisAssignments::first_owner(std::size_t hardware_axis) const {
  for (std::size_t before = hardware_axis; before-- > 0;)
    if (axes_[before] == axes_[hardware_axis]) return owners_[before];
  return 0;
}

}  // namespace meshmul
