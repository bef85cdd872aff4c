#pragma once
// Why a mapping does not fit, and which part of it is at fault, so that a text can be marked there.

#include <cstddef>
#include <optional>
#include <string>

#include "meshmul/mesh.hpp"

namespace meshmul {

struct MappingFault {
  std::string sentence;
  std::optional<std::size_t> mesh_axis;  ///< nothing: the mapping as a whole
  std::optional<std::size_t> entry;      ///< which of its hardware axes; nothing: all
};

/// A mesh axis longer than 1 on no hardware axis.
inline MappingFault without_place(const Mesh& mesh, std::size_t axis) {
  const auto& [name, size] = mesh.axes()[axis];
  return {"mesh axis " + name + "=" + std::to_string(size) + " has no place", axis, std::nullopt};
}

}  // namespace meshmul
