#pragma once
// What an array takes on the devices of a mesh.

#include <cstdint>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/box.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {

struct Footprint {
  Shape local_shape;                 ///< of the largest shard, that of device 0
  std::int64_t local_bytes = 0;      ///< of the largest shard
  std::int64_t array_bytes = 0;      ///< of the array in one piece
  double total_bytes = 0;            ///< of all shards of all devices
  std::vector<std::int64_t> shards;  ///< by dimension: blocks that its axes cut it into
  std::int64_t copies = 1;           ///< devices that hold one and the same shard
  std::vector<int> copied_along;     ///< the mesh axes that the array does not use
  std::vector<int> partial_along;    ///< those along which the devices hold partial sums
  double fraction = 1;               ///< of the array that the largest shard is; 1 of an empty array
  bool even = true;                  ///< all shards are equally large
};

/// Every size must be known.
Footprint footprint(const ArrayType& type, const Mesh& mesh);

}  // namespace meshmul
