#pragma once
// Copies, additions and elementwise functions on strided views of device memory.

#include <cuda_runtime_api.h>

#include <optional>
#include <span>

#include "meshmul/map_function.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// Loads the kernels of this file on the current device, as `load_stream_kernels` does.
void load_element_kernels();

/// dst = src converted, dst dimension d = src dimension permutation[d] (empty: identity).
void copy(const View& dst, const ConstView& src, std::span<const int> permutation, cudaStream_t stream);

/// dst += src in the accumulator dtype of dst, rounded once.
void reduce(const View& dst, const ConstView& src, std::span<const int> permutation, cudaStream_t stream);

/// dst = function(srcs…), computed in the accumulator dtype of dst; gelu and its kind of integers in f64. The second
/// source may have no dimension, or with `along` one, which is dimension `along` of dst.
void map(const View& dst, MapFunction function, std::span<const ConstView> srcs, std::optional<int> along,
         cudaStream_t stream);

}  // namespace meshmul::cuda
