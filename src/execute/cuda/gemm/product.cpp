#include "execute/cuda/gemm/product.hpp"

#include <algorithm>

namespace meshmul::cuda {

DeviceMatrix operand(const ProductKind& kind, const void* data, std::int64_t stride, std::int64_t outer, std::int64_t k,
                     bool outer_together) {
  return {.data = data,
          .element = kind.element,
          .inner = outer_together ? outer : k,
          .outer = outer_together ? k : outer,
          .row_stride = stride};
}

bool is_epilogue(MapFunction function) {
  switch (function) {
    case MapFunction::kGelu:
    case MapFunction::kGeluTanh:
    case MapFunction::kSilu:
    case MapFunction::kRelu:
    case MapFunction::kAdd:
    case MapFunction::kMul:
    case MapFunction::kBias:
    case MapFunction::kScale:
    case MapFunction::kConvert: return true;
    case MapFunction::kZero:
    case MapFunction::kOne:
    case MapFunction::kGeluGrad:
    case MapFunction::kGeluTanhGrad:
    case MapFunction::kSiluGrad:
    case MapFunction::kReluGrad: return false;
  }
  return false;
}

bool has_epilogue(const std::vector<Product>& products) {
  return std::ranges::any_of(products, [](const Product& product) { return !product.epilogue.empty(); });
}

bool has_kernel(const ProductKind& kind, const std::vector<Product>& products) {
  if (kind.element != Dtype::kBf16 && kind.element != Dtype::kF16 && kind.element != Dtype::kF8e4m3) return false;
  if (kind.element == Dtype::kF8e4m3 && (kind.a_rows_together || kind.b_columns_together)) return false;
  return std::ranges::all_of(products, [&](const Product& product) {
    return std::ranges::all_of(product.parts, [&](const ProductPart& part) {
      return has_tensor_map(operand(kind, part.a, part.a_stride, product.m, part.k, kind.a_rows_together)) &&
             has_tensor_map(operand(kind, part.b, part.b_stride, product.n, part.k, kind.b_columns_together));
    });
  });
}

}  // namespace meshmul::cuda
