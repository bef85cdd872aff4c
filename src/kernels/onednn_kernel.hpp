#pragma once
// Products of bf16 and i8 matrices by oneDNN, on one thread.

#include <memory>

#include "cpu_features.hpp"
#include "matrix_kernel.hpp"

namespace meshmul {

/// Whether oneDNN was there when meshmul was built. Without it nothing below does anything.
bool built_with_onednn();

/// True if oneDNN multiplies `operand` on a CPU with these features both fast and right: bf16 in hardware, and i8
/// without sums that saturate in 16 bits.
bool onednn_multiplies(Dtype operand, const CpuFeatures& cpu);

/// `operand` is bf16 or i8.
std::unique_ptr<MatrixKernel> make_onednn_kernel(Dtype operand);

}  // namespace meshmul
