#pragma once
// Products of any dtype and any strides: the slow way, for what the product kernel cannot do.

#include <cuda_runtime_api.h>

#include "base/einsum.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// Loads the kernels of this file on the current device, as `load_stream_kernels` does.
void load_plain_product_kernels();

/// c = a * b, or c += a * b. a and b have one dtype, sums are in its accumulator, in the order of the contraction,
/// rounded once. An empty contraction writes zeros, or adds nothing.
void plain_product(const View& c, const ConstView& a, const ConstView& b, const Einsum& einsum, bool accumulate,
                   cudaStream_t stream);

}  // namespace meshmul::cuda
