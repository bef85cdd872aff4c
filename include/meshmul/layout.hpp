#pragma once
// Which elements a device holds. Blocks are nested ceilings of the actual block: an axis of size p cuts n elements into
// blocks of ceil(n / p), the next axis cuts each block again, so last blocks can be short or empty. 10 over X=4:
// 3,3,3,1; 9 over X=2,Y=2: 3,2,2,2. Gathering the minor axis of I_XY therefore gives exactly I_X.

#include <cstdint>
#include <optional>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/box.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {

/// The part of `whole` that coordinate `coordinate` of an axis of `axis_size` holds; empty parts begin at whole.end.
Interval cut(Interval whole, std::int64_t axis_size, std::int64_t coordinate);

/// The global interval of dimension `dim` that `device` holds.
Interval local_interval(const ArrayType& type, const Mesh& mesh, int device, int dim);

/// The global box that `device` holds.
Box local_box(const ArrayType& type, const Mesh& mesh, int device);

/// Elements per dimension of the shard of `device`.
Shape local_shape(const ArrayType& type, const Mesh& mesh, int device);

/// Elements per dimension of the largest shard: that of device 0.
Shape max_local_shape(const ArrayType& type, const Mesh& mesh);

/// Bytes of the largest shard. Partial sums do not divide it.
std::int64_t max_local_bytes(const ArrayType& type, const Mesh& mesh);

/// Global to local coordinates; nothing if `device` does not hold the element.
std::optional<std::vector<std::int64_t>> global_to_local(const ArrayType& type, const Mesh& mesh, int device,
                                                         const std::vector<std::int64_t>& global);

/// Local to global coordinates. `local` lies inside the shard of `device`.
std::vector<std::int64_t> local_to_global(const ArrayType& type, const Mesh& mesh, int device,
                                          const std::vector<std::int64_t>& local);

}  // namespace meshmul
