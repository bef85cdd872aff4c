#pragma once
// An operand of a product as it comes to the ranks: piece by piece.

#include <cstdint>
#include <vector>

#include "../placed_array.hpp"

namespace meshmul {

/// `part` of an array, and the region that holds it once it is to be multiplied, perhaps at a peer.
struct Piece {
  Box part;
  Region where;
};

/// By rank, in the order in which they are multiplied. The pieces of a rank do not overlap.
using Pieces = std::vector<std::vector<Piece>>;

/// What every rank holds, in one piece each.
Pieces whole_shards(const PlacedArray& array);

/// `part` of `piece`, where it lies.
Piece part_of(const Piece& piece, const Box& part);

/// What is left of `boxes` without `taken`.
std::vector<Box> without(const std::vector<Box>& boxes, const Box& taken);

/// `box` in up to `num_parts` parts along `dim`, as even as it goes, none of them empty. An empty box has no parts.
std::vector<Box> cut_along(const Box& box, int dim, int num_parts);

/// `box` in parts of `rows` along `dim`, the last one shorter if need be. An empty box has no parts.
std::vector<Box> cut_in_rounds(const Box& box, int dim, std::int64_t rows);

/// The dimension along which a moving array comes in pieces: the first one that is cut otherwise in `to` than in `from`, else
/// the first.
int moving_dim(const ArrayType& from, const ArrayType& to);

}  // namespace meshmul
