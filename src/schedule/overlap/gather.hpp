#pragma once
// The operand that moves before a product, so that it can be multiplied piece by piece. Each function writes the steps that
// bring the operand to the ranks and says in which pieces it comes; the gemms that read them follow.

#include "../collectives/collectives.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "pieces.hpp"

namespace meshmul {

/// Nothing moves: every rank multiplies from its peers' shards, its own first, then those of rank + 1, rank + 2, …
Pieces multiply_in_place(ScheduleBuilder& builder, const PlacedArray& from, const ArrayType& to);

/// Every rank gets each peer's shard in `options.chunks_per_shard` chunks, each in blocks of `options.copy_bytes`, the lanes
/// in turn; its own shard is multiplied where it lies.
Pieces pull(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, const OverlapOptions& options);

/// An AllGather or AllToAll in which shards go round the ring of the axes that move; each is multiplied as it comes by.
Pieces pass_round(ScheduleBuilder& builder, MoveKind kind, const PlacedArray& from, const PlacedArray& to, Ways ways);

}  // namespace meshmul
