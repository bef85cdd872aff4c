#pragma once
// The whole product by BLAS with all cores in one process: what people have without sharding.

#include "in_turn.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::measure {

/// Null if BLAS has no call for it: a dtype other than f32 and f64, or indices other than one of each matrix and one that is
/// summed over. Throws Error(kOutOfMemory).
Timed blas_in_one_process(const Product& product);

}  // namespace meshmul::measure
