#pragma once
// What meshmul asks of the program that multiplies whole matrices.

#include <cstdint>

#include "meshmul/dtype.hpp"

namespace meshmul::measure {

/// C[m, n] = A[m, k] * B[k, n], all row-major and of one dtype. The answer is one double: the seconds that the call took.
struct WholeProduct {
  Dtype dtype = Dtype::kF32;
  std::int64_t m = 0, n = 0, k = 0;
  bool operator==(const WholeProduct&) const = default;
};

}  // namespace meshmul::measure
