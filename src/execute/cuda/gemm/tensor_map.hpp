#pragma once
// Describes a matrix in device memory to the copy engine of a multiprocessor.

#include <cstdint>

#include "execute/cuda/gemm/gemm_work.hpp"

namespace meshmul::cuda {

/// A matrix of `outer` rows of `inner` elements, `row_stride` elements apart.
struct DeviceMatrix {
  const void* data = nullptr;
  Dtype element = Dtype::kBf16;
  std::int64_t inner = 0;
  std::int64_t outer = 0;
  std::int64_t row_stride = 0;
};

/// Whether the copy engine can read or write it: it starts and its rows start at multiples of 16 bytes, and its extents
/// are from 1 to 2^32 - 1.
inline bool has_tensor_map(const DeviceMatrix& matrix) {
  constexpr std::int64_t kMost = (std::int64_t{1} << 32) - 1;
  return reinterpret_cast<std::uintptr_t>(matrix.data) % 16 == 0 &&
         matrix.row_stride * size_bytes(matrix.element) % 16 == 0 && matrix.inner >= 1 && matrix.outer >= 1 &&
         matrix.inner <= kMost && matrix.outer <= kMost;
}

/// Boxes of `box_outer` rows of `box_inner` elements: 32, 64 or 128 bytes a row, which is also how they are swizzled in
/// shared memory. Requires `has_tensor_map` and at most 256 rows.
TensorMap make_tensor_map(const DeviceMatrix& matrix, std::int64_t box_inner, std::int64_t box_outer);

}  // namespace meshmul::cuda
