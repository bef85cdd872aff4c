#pragma once
// An array as it lies on the ranks: which region of a buffer of each rank holds which global box.

#include <string>
#include <vector>

#include "builder.hpp"
#include "meshmul/array_type.hpp"

namespace meshmul {

struct PlacedArray {
  ArrayType type;
  int buffer = 0;
  std::vector<Box> global;  ///< by rank: the box of the array that the rank holds
  std::vector<Box> local;   ///< by rank: where in the buffer; the extents of `global`

  const Box& held(int rank) const { return global[static_cast<std::size_t>(rank)]; }
  /// All that `rank` holds.
  Region region(int rank) const;
  /// The part of what `rank` holds that is `part` of the array. An empty `part` gives an empty region.
  Region region(int rank, const Box& part) const;
};

/// `part` of the box `whole` of an array, where `whole` lies in `where`. An empty `part` gives an empty region.
Region part_of(const Region& where, const Box& whole, const Box& part);

/// `part` of the box `whole` of an array, where `whole` lies in the leading corner of `buffer`.
Region region_in_corner(int rank, int buffer, const Box& whole, const Box& part);

/// Lays `type` out in a new buffer `name` of the shape of its largest shard.
PlacedArray place(ScheduleBuilder& builder, const std::string& name, const ArrayType& type);

/// A new buffer `name` for boxes `global` of an array, one a rank, in its leading corner.
PlacedArray place_boxes(ScheduleBuilder& builder, const std::string& name, const ArrayType& type,
                        std::vector<Box> global);

/// `array` under the sharding of `to`, of which every rank already holds its box: the same memory.
PlacedArray sliced(const PlacedArray& array, const ArrayType& to, const Mesh& mesh);

/// One holding a rank, under the name `array`.
std::vector<Holding> holdings_of(const PlacedArray& placed, const std::string& array);

}  // namespace meshmul
