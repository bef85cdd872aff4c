#pragma once
// Schedules of one collective each, without a planner: changes of sharding by a chosen algorithm, and exchanges between
// neighbours, which no sharding describes.

#include <cstdint>

#include "meshmul/lower.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {

/// `move` alone, as the statement `from -> to`; every size known.
Schedule build_move(const Move& move, const Mesh& mesh, const LowerOptions& options = {});

/// Ranks at coordinates i and i xor 1 of `axis` swap their shards of `type`; the last of an odd number keeps its own.
/// The contract of the result is displaced. On X=3:
///
///     rank   before   after
///      0     a        b
///      1     b        a
///      2     c        c
///
/// Throws Error(kInvalidArgument) if the mesh has no such axis, a size is unknown, or `type` holds partial sums.
Schedule exchange_pairs(const ArrayType& type, const Mesh& mesh, int axis);

/// Every rank sends its shard of `type` `distance` steps along `axis`, round the end: coordinate c gets the shard of
/// coordinate c - distance. The contract is displaced. On X=3 by 1:
///
///     rank   before   after
///      0     a        c
///      1     b        a
///      2     c        b
///
/// Throws as exchange_pairs does.
Schedule shift(const ArrayType& type, const Mesh& mesh, int axis, std::int64_t distance);

}  // namespace meshmul
