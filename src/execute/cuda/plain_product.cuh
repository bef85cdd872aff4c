#pragma once
// Products that the product kernel cannot do, as plain loops: a range of tiles, by the threads of a warp.

#include <cstdint>
#include <type_traits>

#include "execute/cuda/elements.cuh"
#include "execute/cuda/flat_product.hpp"

namespace meshmul::cuda {

/// Adds up to where index `i` of a role begins in two operands.
__device__ inline void add_offsets(const FlatRole& role, std::int64_t i, std::int64_t& x, std::int64_t& y) {
  for (int d = role.num_loops - 1; d >= 0; --d) {
    std::int64_t at = i;
    if (d > 0) {
      i /= role.extents[d];
      at -= i * role.extents[d];
    }
    x += at * role.strides[0][d];
    y += at * role.strides[1][d];
  }
}

template <class Sum>
__device__ inline Sum multiply_add(Sum sum, Sum x, Sum y) {
  if constexpr (std::is_integral_v<Sum>)
    return static_cast<Sum>(static_cast<std::uint32_t>(sum) +
                            static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y));
  else
    return sum + x * y;
}

/// One tile of c: a row index for each of kPlainRows, and for each thread a column. Sums are added in the order of the
/// contraction.
template <class Sum>
__device__ inline void plain_tile(const FlatProduct& p, std::int64_t tile, int thread) {
  const std::int64_t row_tiles = p.row_tiles(), column_tiles = p.column_tiles();
  const std::int64_t batch = tile / (row_tiles * column_tiles);
  const std::int64_t first_row = tile / column_tiles % row_tiles * FlatProduct::kTileRows;
  const std::int64_t column = tile % column_tiles * FlatProduct::kTileColumns + thread;
  if (column >= p.right.count) return;
  std::int64_t none = 0, a_batch = 0, b_at = 0, c_at = 0;
  add_offsets(p.batch, batch, a_batch, b_at);
  add_offsets(p.batch_in_c, batch, c_at, none);
  add_offsets(p.right, column, b_at, c_at);
  std::int64_t a_rows[FlatProduct::kTileRows], c_rows[FlatProduct::kTileRows];
  Sum sums[FlatProduct::kTileRows];
#pragma unroll
  for (int r = 0; r < FlatProduct::kTileRows; ++r) {
    // Rows behind the last one read the last one.
    const std::int64_t row = first_row + r < p.left.count ? first_row + r : p.left.count - 1;
    a_rows[r] = a_batch;
    c_rows[r] = c_at;
    add_offsets(p.left, row, a_rows[r], c_rows[r]);
    sums[r] = p.accumulate ? load<Sum>(p.c, c_rows[r], p.c_dtype) : Sum{};
  }
  for (std::int64_t k = 0; k < p.contracted.count; ++k) {
    std::int64_t a_k = 0, b_k = b_at;
    add_offsets(p.contracted, k, a_k, b_k);
    const Sum b = load<Sum>(p.b, b_k, p.dtype);
#pragma unroll
    for (int r = 0; r < FlatProduct::kTileRows; ++r)
      sums[r] = multiply_add(sums[r], load<Sum>(p.a, a_rows[r] + a_k, p.dtype), b);
  }
#pragma unroll
  for (int r = 0; r < FlatProduct::kTileRows; ++r)
    if (first_row + r < p.left.count) store(p.c, c_rows[r], p.c_dtype, sums[r]);
}

/// Tiles `begin` to `end` (not included), by thread `thread` of a warp.
__device__ __noinline__ inline void do_plain_tiles(const FlatProduct& product, std::int64_t begin, std::int64_t end,
                                                   int thread) {
  for (std::int64_t tile = begin; tile < end; ++tile) {
    switch (product.sum) {
      case Dtype::kI32: plain_tile<std::int32_t>(product, tile, thread); break;
      case Dtype::kF64: plain_tile<double>(product, tile, thread); break;
      default: plain_tile<float>(product, tile, thread); break;
    }
  }
}

}  // namespace meshmul::cuda
