#include <algorithm>
#include <type_traits>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/elements.cuh"
#include "execute/cuda/flat_product.hpp"
#include "execute/cuda/load_kernel.hpp"
#include "execute/cuda/plain_product.hpp"

namespace meshmul::cuda {
namespace {

constexpr int kSide = 16;

/// Adds up to where index `i` of a role begins in two operands.
__device__ void offsets(const FlatRole& role, std::int64_t i, std::int64_t& x, std::int64_t& y) {
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
__device__ Sum multiply_add(Sum sum, Sum x, Sum y) {
  if constexpr (std::is_integral_v<Sum>)
    return static_cast<Sum>(static_cast<std::uint32_t>(sum) +
                            static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y));
  else
    return sum + x * y;
}

/// Each block does squares of c; operands go through shared memory a square at a time.
template <class Sum>
__global__ void product_kernel(const __grid_constant__ FlatProduct p) {
  __shared__ Sum a_square[kSide][kSide + 1];
  __shared__ Sum b_square[kSide][kSide + 1];
  const int tx = static_cast<int>(threadIdx.x) % kSide, ty = static_cast<int>(threadIdx.x) / kSide;
  const std::int64_t row_squares = (p.left.count + kSide - 1) / kSide,
                     column_squares = (p.right.count + kSide - 1) / kSide;
  const std::int64_t squares = p.batch.count * row_squares * column_squares;
  for (std::int64_t square = blockIdx.x; square < squares; square += gridDim.x) {
    const std::int64_t batch = square / (row_squares * column_squares);
    const std::int64_t row = square / column_squares % row_squares * kSide + ty;
    const std::int64_t column = square % column_squares * kSide + tx;
    std::int64_t a_batch = 0, b_batch = 0, c_batch = 0, none = 0;
    offsets(p.batch, batch, a_batch, b_batch);
    offsets(p.batch_in_c, batch, c_batch, none);
    std::int64_t a_row = 0, c_row = 0, b_column = 0, c_column = 0;
    if (row < p.left.count) offsets(p.left, row, a_row, c_row);
    if (column < p.right.count) offsets(p.right, column, b_column, c_column);
    const std::int64_t at_c = c_batch + c_row + c_column;
    const bool inside = row < p.left.count && column < p.right.count;
    Sum sum{};
    if (inside && p.accumulate) sum = load<Sum>(p.c, at_c, p.c_dtype);
    for (std::int64_t k = 0; k < p.contracted.count; k += kSide) {
      // This thread loads a of its row and index k + tx, and b of index k + ty and its column.
      std::int64_t a_k = 0, b_k = 0;
      Sum a{}, b{};
      if (row < p.left.count && k + tx < p.contracted.count) {
        offsets(p.contracted, k + tx, a_k, none);
        a = load<Sum>(p.a, a_batch + a_row + a_k, p.dtype);
      }
      if (column < p.right.count && k + ty < p.contracted.count) {
        offsets(p.contracted, k + ty, none, b_k);
        b = load<Sum>(p.b, b_batch + b_column + b_k, p.dtype);
      }
      a_square[ty][tx] = a;
      b_square[ty][tx] = b;
      __syncthreads();
      const std::int64_t steps = p.contracted.count - k < kSide ? p.contracted.count - k : kSide;
      for (std::int64_t i = 0; i < steps; ++i) sum = multiply_add(sum, a_square[ty][i], b_square[i][tx]);
      __syncthreads();
    }
    if (inside) store(p.c, at_c, p.c_dtype, sum);
  }
}

}  // namespace

void load_plain_product_kernels() {
  load_kernel(reinterpret_cast<const void*>(&product_kernel<double>));
  load_kernel(reinterpret_cast<const void*>(&product_kernel<float>));
  load_kernel(reinterpret_cast<const void*>(&product_kernel<std::int32_t>));
}

void plain_product(const View& c, const ConstView& a, const ConstView& b, const Einsum& einsum, bool accumulate,
                   cudaStream_t stream) {
  const FlatProduct product = flat_product(c, a, b, einsum, accumulate);
  const std::int64_t squares =
      product.batch.count * ((product.left.count + kSide - 1) / kSide) * ((product.right.count + kSide - 1) / kSide);
  if (squares == 0) return;
  constexpr std::int64_t kMostBlocks = 4096;
  const auto blocks = static_cast<unsigned>(std::min(squares, kMostBlocks));
  switch (accumulator_of(a.dtype)) {
    case Dtype::kF64: product_kernel<double><<<blocks, kSide * kSide, 0, stream>>>(product); break;
    case Dtype::kI32: product_kernel<std::int32_t><<<blocks, kSide * kSide, 0, stream>>>(product); break;
    default: product_kernel<float><<<blocks, kSide * kSide, 0, stream>>>(product); break;
  }
  check(cudaGetLastError(), "launching a plain product");
}

}  // namespace meshmul::cuda
