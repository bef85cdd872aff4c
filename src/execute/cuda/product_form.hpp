#pragma once
// A gemm over views of device memory as products that the kernel does: rows, columns and a contraction, each with one
// stride.

#include <optional>
#include <vector>

#include "base/einsum.hpp"
#include "execute/cuda/gemm/gemm_run.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

struct ProductForm {
  ProductKind kind;
  /// Without waits and raises. One, or more where rows or a batch have several strides; where the contraction has
  /// several, it has as many parts.
  std::vector<Product> products;
};

/// Nothing if no kernel can do it: another dtype; no index of c that lies together; operands, or their rows, that do
/// not start at multiples of 16 bytes; f8e4m3 that does not lie together along the contraction; an empty box; or more
/// than some thousand products and parts.
std::optional<ProductForm> product_form(const View& c, const ConstView& a, const ConstView& b, const Einsum& einsum,
                                        bool accumulate);

}  // namespace meshmul::cuda
