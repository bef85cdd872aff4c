#pragma once
// The product of two shards where they lie: one gemm a rank.

#include <string>

#include "builder.hpp"
#include "placed_array.hpp"

namespace meshmul {

/// `ij,jk->ik`: one letter an index, its own first letter where that is free.
std::string einsum_of(const ArrayType& a, const ArrayType& b, const ArrayType& c);

/// c = a * b on every rank, the inputs read in place.
void local_product(ScheduleBuilder& builder, const PlacedArray& a, const PlacedArray& b, const PlacedArray& c);

}  // namespace meshmul
