#include "pieces.hpp"

#include <algorithm>

#include "meshmul/layout.hpp"

namespace meshmul {

Pieces whole_shards(const PlacedArray& array) {
  Pieces pieces;
  for (std::size_t rank = 0; rank < array.global.size(); ++rank)
    pieces.push_back({{array.global[rank], array.region(static_cast<int>(rank))}});
  return pieces;
}

Piece part_of(const Piece& piece, const Box& part) { return {part, part_of(piece.where, piece.part, part)}; }

std::vector<Box> without(const std::vector<Box>& boxes, const Box& taken) {
  std::vector<Box> rest;
  for (const Box& box : boxes)
    for (const Box& part : subtract(box, taken)) rest.push_back(part);
  return rest;
}

std::vector<Box> cut_along(const Box& box, int dim, int num_parts) {
  std::vector<Box> parts;
  num_parts = static_cast<int>(std::min<std::int64_t>(num_parts, box[dim].size()));
  for (int i = 0; i < num_parts; ++i) {
    Box part = box;
    part[dim] = cut(box[dim], num_parts, i);
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<Box> cut_in_rounds(const Box& box, int dim, std::int64_t rows) {
  std::vector<Box> parts;
  if (box.empty()) return parts;
  rows = std::min(rows, box[dim].size());
  for (std::int64_t begin = box[dim].begin; begin < box[dim].end; begin += rows) {
    Box part = box;
    part[dim] = {begin, std::min(begin + rows, box[dim].end)};
    parts.push_back(part);
  }
  return parts;
}

int moving_dim(const ArrayType& from, const ArrayType& to) {
  for (std::size_t d = 0; d < from.sharding.dims.size(); ++d)
    if (from.sharding.dims[d] != to.sharding.dims[d]) return static_cast<int>(d);
  return 0;
}

}  // namespace meshmul
