#pragma once
// The partial sums of a product, brought to their owners block by block: while one block moves, the next is multiplied. In
// each function every rank begins with the block of the next rank of its group and ends with its own.

#include "../collectives/collectives.hpp"
#include "meshmul/lower.hpp"
#include "product_sum.hpp"

namespace meshmul {

/// Ranks add to the sums where they are to lie, at their owners, one after the other: in step t the block of rank q is the
/// turn of rank q - 1 - t. Blocks that lie one after another in memory are one matrix; where that has more columns than rows,
/// turns are taken over its columns instead, so that each product has all rows. No partial sum ever moves.
void reduce_in_place(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to,
                     const OverlapOptions& options);

/// Every rank writes its terms, in `options.chunks_per_shard` chunks a block, straight to their owner, who adds them up in
/// rank order.
void reduce_pushed(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to,
                   const OverlapOptions& options);

/// Every rank computes its terms into its own memory, from where their owners add them up as soon as they are there.
void reduce_pulled(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to);

/// Partial sums go round rings; a rank makes its term of a block while the sum of the others is on its way. Scalars, which
/// have no parts, are pulled.
void reduce_round(ScheduleBuilder& builder, const PiecewiseProduct& product, const PlacedArray& to, Ways ways);

}  // namespace meshmul
