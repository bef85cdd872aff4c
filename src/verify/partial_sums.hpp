#pragma once
// How many partial sums a schedule adds for one element: what the error of a correct result depends on.

#include <cstdint>

#include "meshmul/schedule.hpp"

namespace meshmul::verification {

/// The most for any element of an output: each gemm makes one, and so is each element of an input; `reduce`, an accumulating
/// gemm and `map add` add those of both sides. At least 1, at most 2^31. The schedule is well-formed and runs to its end.
std::int64_t most_partial_sums(const Schedule& schedule);

}  // namespace meshmul::verification
