#include "meshmul/layout.hpp"

#include <algorithm>

namespace meshmul {

Interval cut(Interval whole, std::int64_t axis_size, std::int64_t coordinate) {
  const std::int64_t block = (whole.size() + axis_size - 1) / axis_size;
  const std::int64_t begin = std::min(whole.begin + coordinate * block, whole.end);
  return {begin, std::min(begin + block, whole.end)};
}

Interval local_interval(const ArrayType& type, const Mesh& mesh, int device, int dim) {
  const auto d = static_cast<std::size_t>(dim);
  Interval interval{0, type.dims[d].size};
  for (const int axis : type.sharding.dims[d]) interval = cut(interval, mesh.size(axis), mesh.coordinate(device, axis));
  return interval;
}

Box local_box(const ArrayType& type, const Mesh& mesh, int device) {
  Box box;
  for (int dim = 0; dim < type.num_dims(); ++dim) box.push_back(local_interval(type, mesh, device, dim));
  return box;
}

Shape local_shape(const ArrayType& type, const Mesh& mesh, int device) { return local_box(type, mesh, device).shape(); }

Shape max_local_shape(const ArrayType& type, const Mesh& mesh) { return local_shape(type, mesh, 0); }

std::int64_t max_local_bytes(const ArrayType& type, const Mesh& mesh) {
  return local_box(type, mesh, 0).num_elements() * size_bytes(type.dtype);
}

std::optional<std::vector<std::int64_t>> global_to_local(const ArrayType& type, const Mesh& mesh, int device,
                                                         const std::vector<std::int64_t>& global) {
  const Box box = local_box(type, mesh, device);
  std::vector<std::int64_t> local;
  for (int d = 0; d < box.num_dims(); ++d) {
    const std::int64_t coordinate = global[static_cast<std::size_t>(d)];
    if (coordinate < box[d].begin || coordinate >= box[d].end) return std::nullopt;
    local.push_back(coordinate - box[d].begin);
  }
  return local;
}

std::vector<std::int64_t> local_to_global(const ArrayType& type, const Mesh& mesh, int device,
                                          const std::vector<std::int64_t>& local) {
  const Box box = local_box(type, mesh, device);
  std::vector<std::int64_t> global;
  for (int d = 0; d < box.num_dims(); ++d) global.push_back(local[static_cast<std::size_t>(d)] + box[d].begin);
  return global;
}

}  // namespace meshmul
