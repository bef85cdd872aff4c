#pragma once
// A mesh of devices: named axes with sizes, and the map between a device id and its coordinates.

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace meshmul {

struct MeshAxis {
  std::string name;
  std::int64_t size = 1;

  bool operator==(const MeshAxis&) const = default;
};

/// Axes are numbered in the order in which they are written; device ids are row-major: the last axis varies fastest.
/// Sizes are at least 1; the mesh without axes has one device.
class Mesh {
 public:
  /// Largest number of devices that a mesh may have.
  static constexpr std::int64_t kMaxDevices = 1 << 20;

  Mesh() = default;
  Mesh(std::initializer_list<MeshAxis> axes) : Mesh(std::vector<MeshAxis>(axes)) {}
  /// Throws Error(kInvalidArgument) for a bad or repeated name, a size below 1, or more than kMaxDevices devices.
  explicit Mesh(std::vector<MeshAxis> axes);

  int num_axes() const { return static_cast<int>(axes_.size()); }
  const std::vector<MeshAxis>& axes() const { return axes_; }
  const std::string& name(int axis) const { return axes_[static_cast<std::size_t>(axis)].name; }
  std::int64_t size(int axis) const { return axes_[static_cast<std::size_t>(axis)].size; }
  /// Product of the sizes of `axes`; 1 for none.
  std::int64_t size(const std::vector<int>& axes) const;
  std::optional<int> find(std::string_view name) const;

  int num_devices() const { return num_devices_; }
  int coordinate(int device, int axis) const;
  std::vector<int> coordinates(int device) const;
  int device(const std::vector<int>& coordinates) const;
  /// The device at `coordinate` of `axis`, all other coordinates as `device` has them.
  int with_coordinate(int device, int axis, int coordinate) const;

  /// Position of `device` among the devices that differ from it only along `axes`; axes major to minor.
  int group_index(int device, const std::vector<int>& axes) const;
  /// Those devices in that order: `group(d, axes)[group_index(d, axes)] == d`.
  std::vector<int> group(int device, const std::vector<int>& axes) const;

  /// `X=4,Y=2`; empty for the mesh without axes. `parse_mesh` is its inverse.
  std::string str() const;
  bool operator==(const Mesh&) const = default;

 private:
  std::vector<MeshAxis> axes_;
  int num_devices_ = 1;
};

/// Reads `X=4,Y=2`; blanks around names, sizes and marks mean nothing. Throws Error(kInvalidArgument) with the place of what is wrong.
Mesh parse_mesh(std::string_view text);

}  // namespace meshmul
