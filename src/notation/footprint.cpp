#include "meshmul/footprint.hpp"

#include <algorithm>

#include "meshmul/layout.hpp"

namespace meshmul {

Footprint footprint(const ArrayType& type, const Mesh& mesh) {
  Footprint footprint;
  footprint.local_shape = max_local_shape(type, mesh);
  footprint.local_bytes = max_local_bytes(type, mesh);
  footprint.array_bytes = Box::whole(global_shape(type)).num_elements() * size_bytes(type.dtype);
  for (int device = 0; device < mesh.num_devices(); ++device) {
    const Shape shape = local_shape(type, mesh, device);
    footprint.total_bytes += static_cast<double>(Box::whole(shape).num_elements() * size_bytes(type.dtype));
    footprint.even = footprint.even && shape == footprint.local_shape;
  }
  footprint.partial_along = type.sharding.unreduced;
  std::vector<int> used = footprint.partial_along;
  for (const std::vector<int>& axes : type.sharding.dims) {
    footprint.shards.push_back(mesh.size(axes));
    used.insert(used.end(), axes.begin(), axes.end());
  }
  for (int axis = 0; axis < mesh.num_axes(); ++axis) {
    if (std::find(used.begin(), used.end(), axis) != used.end()) continue;
    footprint.copied_along.push_back(axis);
    footprint.copies *= mesh.size(axis);
  }
  if (footprint.array_bytes > 0)
    footprint.fraction = static_cast<double>(footprint.local_bytes) / static_cast<double>(footprint.array_bytes);
  return footprint;
}

}  // namespace meshmul
