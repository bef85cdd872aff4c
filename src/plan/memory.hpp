#pragma once
// Bytes that a plan takes on one device: the buffers that lowering makes for it. Every array of every step has a buffer
// of its own, but a slice is a part of the array that it is cut from; none is used twice.

#include <cstdint>
#include <span>
#include <vector>

#include "meshmul/plan.hpp"

namespace meshmul {

/// Bytes that a reduction needs besides its source and its result: where more than two terms are added, or the dtype
/// changes, the block that a device adds up is built in the accumulator dtype. `num_terms` devices reduce to an array
/// whose largest shard has `to_shape`; an AllReduce shares the work among them. Doubles are exact up to 2^53.
double scratch_bytes(MoveKind kind, double num_terms, Dtype from, Dtype to, std::span<const double> to_shape);

/// The rule: inputs, what each step makes unless it is a slice before the last step, and the scratch of the moves. The
/// last step makes the output.
std::int64_t peak_bytes(const std::vector<const ArrayType*>& inputs, const std::vector<Step>& steps, const Mesh& mesh);

/// Rounds to a whole number of bytes; what 64 bits cannot hold becomes the largest number that they can.
std::int64_t whole_bytes(double bytes);

}  // namespace meshmul
