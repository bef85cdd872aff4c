#pragma once
// Copies of rows of whole 16 bytes: what a device copies fastest.

#include <cstdint>
#include <optional>

#include "execute/cuda/gemm/host_device.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// `rows` rows of `row_vectors` times 16 bytes, which begin `dst_pitch` and `src_pitch` bytes apart. All are multiples of
/// 16 bytes, and so are the addresses.
struct RowCopy {
  static constexpr std::int64_t kVectorBytes = 16;
  /// The kernel counts them in 32 bits: 64 GiB.
  static constexpr std::int64_t kMostVectors = (std::int64_t{1} << 32) - 1;

  std::byte* dst = nullptr;
  const std::byte* src = nullptr;
  std::int64_t rows = 1;
  std::int64_t row_vectors = 0;
  std::int64_t dst_pitch = 0;
  std::int64_t src_pitch = 0;

  MESHMUL_HOST_DEVICE std::int64_t num_vectors() const { return rows * row_vectors; }
};

/// dst = src as such a copy, if it is one: of one dtype and shape, not empty.
std::optional<RowCopy> row_copy(const View& dst, const ConstView& src);

}  // namespace meshmul::cuda
