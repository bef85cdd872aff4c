#pragma once
// The whole product by one call of a library with all cores in one process: what people have without sharding.

#include <functional>
#include <string>
#include <vector>

#include "in_turn.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::measure {

struct OneProcess {
  std::string library;  ///< `OpenBLAS`, `OpenBLAS as Haswell`, `BLIS`, `oneDNN`
  Timed timed;
};

/// By each library that is there and has a call for it: OpenBLAS, also with the kernels of other processors that this one can run, and
/// BLIS for f32 and f64; oneDNN for f32 and bf16. Each in a process of its own, whose threads sleep between calls. Empty where the indices are
/// other than one of each matrix and one that is summed over, or one of them is empty. `interrupted` ends a call with Error(kInterrupted).
std::vector<OneProcess> in_one_process(const Product& product, const std::function<bool()>& interrupted);

}  // namespace meshmul::measure
