#pragma once
// Whole products by oneDNN.

#include <functional>

#include "product_call.hpp"

namespace meshmul::measure {

/// The product in f32 or bf16, by all threads of OpenMP. Throws Error(kUnsupported) if meshmul was built without oneDNN.
std::function<void()> by_onednn(const WholeProduct& product, const Operands& operands);

}  // namespace meshmul::measure
