#pragma once
// The algorithms that move and add up shards: one a file. Each writes the steps of all ranks into a builder. `from` and
// `to` are one array under two shardings; blocks may be uneven or empty, over any number of mesh axes and dimensions.

#include <functional>
#include <vector>

#include "../builder.hpp"
#include "../placed_array.hpp"
#include "cut.hpp"

namespace meshmul {

/// One way round a ring, or both ways at once with the block of the opposite member split in two.
enum class Ways { kOne, kBoth };

/// Any sharding to any other with the same unreduced axes, also with the dimensions in another order or another dtype:
/// every rank fetches what it lacks from the nearest holders, all at once.
void direct_exchange(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to);

/// Adds the partial sums along the axes that are unreduced in `from` and not in `to`, whose dimensions may take up such
/// axes: ReduceScatter, AllReduce, and both at once. Every rank reads all terms of its block in place: its own, then
/// those of the next higher ranks, round the end. A scalar is added up in rank order by everybody.
void direct_reduce(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to);

/// Every rank gets, from the ranks along `groups.replicated`, the shares of its block of `to` that they have added up.
void get_shares(ScheduleBuilder& builder, const PlacedArray& to, const std::vector<Box>& shares,
                const ReductionGroups& groups);

/// A complete array as partial sums along the axes unreduced in `to` alone: coordinate 0 holds it, all others zeros.
void unreduce(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to);

/// AllGather: blocks go round rings, each hop a block to the neighbour, along all axes that leave at once.
void ring_all_gather(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, Ways ways);

/// Called before the first step that reads `part` of the term of `rank`; it may write the steps that make it.
using BeforeUse = std::function<void(int rank, const Box& part)>;

/// As direct_reduce, in rings: a block collects the terms of one rank after the other on its way to its owner, in the
/// dtype of `from`, along all axes at once; then, where `to` is replicated, blocks go round once more.
void ring_reduce(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, Ways ways,
                 const BeforeUse& before_use = {});

/// AllToAll: the block for the rank d hops away is forwarded d times.
void ring_all_to_all(ScheduleBuilder& builder, const PlacedArray& from, const PlacedArray& to, Ways ways);

}  // namespace meshmul
