#include "placed_array.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "meshmul/layout.hpp"

namespace meshmul {
namespace {

std::vector<Box> shards(const ArrayType& type, const Mesh& mesh) {
  std::vector<Box> boxes;
  for (int rank = 0; rank < mesh.num_devices(); ++rank) boxes.push_back(local_box(type, mesh, rank));
  return boxes;
}

// `part`, in the coordinates in which `origin` begins where `target` does.
Box moved(const Box& part, const Box& origin, const Box& target) {
  std::vector<std::int64_t> offsets;
  for (int d = 0; d < part.num_dims(); ++d) offsets.push_back(target[d].begin - origin[d].begin);
  return part.shifted(offsets);
}

// An empty dimension may stand anywhere, also behind the end of the buffer.
Box with_empty_dims_at_origin(Box box) {
  for (int d = 0; d < box.num_dims(); ++d)
    if (box[d].empty()) box[d] = {0, 0};
  return box;
}

}  // namespace

Region PlacedArray::region(int rank) const { return {rank, buffer, local[static_cast<std::size_t>(rank)]}; }

Region PlacedArray::region(int rank, const Box& part) const { return part_of(region(rank), held(rank), part); }

Region part_of(const Region& where, const Box& whole, const Box& part) {
  assert(whole.contains(part));
  return {where.rank, where.buffer, with_empty_dims_at_origin(moved(part, whole, where.box))};
}

Region region_in_corner(int rank, int buffer, const Box& whole, const Box& part) {
  return part_of({rank, buffer, whole.at_origin()}, whole, part);
}

PlacedArray place(ScheduleBuilder& builder, const std::string& name, const ArrayType& type) {
  return place_boxes(builder, name, type, shards(type, builder.mesh()));
}

PlacedArray place_boxes(ScheduleBuilder& builder, const std::string& name, const ArrayType& type,
                        std::vector<Box> global) {
  Shape shape(type.dims.size(), 0);
  PlacedArray placed{type, 0, std::move(global), {}};
  for (const Box& box : placed.global) {
    placed.local.push_back(box.at_origin());
    for (int d = 0; d < box.num_dims(); ++d) {
      std::int64_t& extent = shape[static_cast<std::size_t>(d)];
      extent = std::max(extent, box[d].size());
    }
  }
  placed.buffer = builder.add_buffer(name, type.dtype, std::move(shape));
  return placed;
}

PlacedArray sliced(const PlacedArray& array, const ArrayType& to, const Mesh& mesh) {
  PlacedArray part{to, array.buffer, shards(to, mesh), {}};
  for (std::size_t rank = 0; rank < part.global.size(); ++rank)
    part.local.push_back(array.region(static_cast<int>(rank), part.global[rank]).box);
  return part;
}

std::vector<Holding> holdings_of(const PlacedArray& placed, const std::string& array) {
  std::vector<Holding> holdings;
  for (std::size_t rank = 0; rank < placed.global.size(); ++rank)
    holdings.push_back({array, placed.global[rank], placed.region(static_cast<int>(rank))});
  return holdings;
}

}  // namespace meshmul
