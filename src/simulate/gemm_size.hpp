#pragma once
// The extents of a gemm as a product of matrices.

#include "base/einsum.hpp"
#include "meshmul/schedule.hpp"
#include "plan/cost/product.hpp"

namespace meshmul::simulation {

/// Of each kind of index, batch, outer and contracted, the extents multiplied. `einsum` is that of `op`.
inline ProductSize size_of(const Gemm& op, const Einsum& einsum) {
  const auto has = [](const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; };
  const auto extent = [](const Region& region, std::size_t dim) {
    return static_cast<double>(region.box[static_cast<int>(dim)].size());
  };
  ProductSize size;
  for (std::size_t d = 0; d < einsum.a.size(); ++d) {
    const char letter = einsum.a[d];
    const bool in_b = has(einsum.b, letter);
    (in_b ? has(einsum.c, letter) ? size.batch : size.k : size.m) *= extent(op.a, d);
  }
  for (std::size_t d = 0; d < einsum.b.size(); ++d)
    if (!has(einsum.a, einsum.b[d])) size.n *= extent(op.b, d);
  return size;
}

}  // namespace meshmul::simulation
