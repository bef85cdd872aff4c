#pragma once
// Products in device memory, as the kernels can do them.

#include <cstdint>
#include <vector>

#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/tensor_map.hpp"

namespace meshmul::cuda {

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// A part of the contraction of a product. Operand a is m x k with rows `a_stride` elements apart, or k x m if its rows
/// lie together; b is n x k, or k x n if its columns lie together.
struct ProductPart {
  const void* a = nullptr;
  const void* b = nullptr;
  std::int64_t a_stride = 0;
  std::int64_t b_stride = 0;
  std::int64_t k = 0;
  std::int32_t num_waits = 0;
};

/// c (m x n, rows `c_stride` elements apart) = the sum of its parts behind its epilogue, or += with `accumulate`, which
/// has none.
struct Product {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::vector<ProductPart> parts;
  void* c = nullptr;
  std::int64_t c_stride = 0;
  Dtype output = Dtype::kBf16;
  bool accumulate = false;
  std::vector<RowGroup> row_groups;
  std::vector<SignalRaise> raises;
  std::vector<EpilogueStep> epilogue = {};
  /// The first steps of the epilogue that are terms, of kAdd, which are added up before the product is added to them.
  std::int32_t num_terms_ahead = 0;
  std::int32_t op = 0;  ///< number among the ops of all ranks, for its times
};

/// What all products of a run have in common.
struct ProductKind {
  Dtype element = Dtype::kBf16;
  bool a_rows_together = false;
  bool b_columns_together = false;
  /// Of f8e4m3 alone: sums as the hardware holds them, with some 14 bits. Else they are promoted to f32 after every 128
  /// elements of the contraction.
  bool fast_sums = false;
  bool operator==(const ProductKind&) const = default;
};

/// Whether the kernels can read these operands: both start, and their rows start, at multiples of 16 bytes; f8e4m3
/// operands lie together along the contraction; no extent is 0.
bool has_kernel(const ProductKind& kind, const std::vector<Product>& products);

/// Whether an epilogue may have that function: gelu, gelu_tanh, silu, relu, convert; with an operand add, mul, bias,
/// scale.
bool is_epilogue(MapFunction function);

/// Whether some product has an epilogue: then the run takes a kernel that can do it.
bool has_epilogue(const std::vector<Product>& products);

/// One operand of a part: `outer` is the number of rows or columns.
DeviceMatrix operand(const ProductKind& kind, const void* data, std::int64_t stride, std::int64_t outer, std::int64_t k,
                     bool outer_together);

}  // namespace meshmul::cuda
