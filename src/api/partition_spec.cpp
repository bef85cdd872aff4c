// P: axis names as a user writes them, made into the axis numbers of a mesh.

#include <fmt/format.h>

#include <algorithm>

#include "meshmul/error.hpp"
#include "meshmul/world.hpp"

namespace meshmul {
namespace {

std::string axis_names(const Mesh& mesh) {
  std::string names;
  for (const MeshAxis& axis : mesh.axes()) names += (names.empty() ? "" : ", ") + axis.name;
  return names.empty() ? "none" : names;
}

}  // namespace

P P::unreduced(std::initializer_list<const char*> axes) const {
  P partial = *this;
  partial.unreduced_.insert(partial.unreduced_.end(), axes.begin(), axes.end());
  return partial;
}

Sharding P::resolve(const Mesh& mesh, int num_dims) const {
  const auto given = static_cast<int>(dims_.size());
  if (given > num_dims)
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("a sharding of {} dimensions was given for an array of {}", given, num_dims));
  std::vector<bool> used(static_cast<std::size_t>(mesh.num_axes()));
  const auto axis_number = [&](const std::string& name) {
    const std::optional<int> axis = mesh.find(name);
    if (!axis)
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("the mesh has no axis {}; its axes are {}", name, axis_names(mesh)));
    if (used[static_cast<std::size_t>(*axis)])
      throw Error(ErrorCode::kInvalidArgument, fmt::format("axis {} is used twice in one sharding", name));
    used[static_cast<std::size_t>(*axis)] = true;
    return *axis;
  };
  Sharding sharding = Sharding::replicated(num_dims);
  for (std::size_t d = 0; d < dims_.size(); ++d)
    for (const std::string& name : dims_[d].axes()) sharding.dims[d].push_back(axis_number(name));
  for (const std::string& name : unreduced_) sharding.unreduced.push_back(axis_number(name));
  std::sort(sharding.unreduced.begin(), sharding.unreduced.end());
  return sharding;
}

}  // namespace meshmul
