#pragma once
// Schedules of one collective each, without a planner: changes of sharding by a chosen algorithm, and exchanges between
// neighbours, which no sharding describes. move_kinds(), algorithms() and exchanges() together name every builder.

#include <cstdint>
#include <span>
#include <string_view>

#include "meshmul/lower.hpp"
#include "meshmul/schedule.hpp"

namespace meshmul {

/// All kinds of moves.
std::span<const MoveKind> move_kinds();

/// `move` alone, as the statement `from -> to`; every size known.
Schedule build_move(const Move& move, const Mesh& mesh, const LowerOptions& options = {});

/// What every rank gets the shard of another one by, along one axis. On X=3:
///
///     rank   before   kPairs   kShift by 1
///      0     a        b        c
///      1     b        a        a
///      2     c        c        b
enum class Exchange {
  kPairs,  ///< ranks at coordinates i and i xor 1 swap their shards; the last of an odd number keeps its own
  kShift,  ///< coordinate c gets the shard of coordinate c - distance, round the end
};
std::string_view name(Exchange exchange);
/// All of them.
std::span<const Exchange> exchanges();

/// Moves the shards of `type` along `axis`. Only a shift has a `distance`, which may be negative or longer than the axis. The
/// contract of the result is displaced. Throws Error(kInvalidArgument) if the mesh has no such axis, a size is unknown, or
/// `type` holds partial sums.
Schedule build_exchange(Exchange exchange, const ArrayType& type, const Mesh& mesh, int axis,
                        std::int64_t distance = 1);

}  // namespace meshmul
