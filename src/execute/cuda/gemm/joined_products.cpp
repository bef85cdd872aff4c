#include "execute/cuda/gemm/joined_products.hpp"

#include <utility>

namespace meshmul::cuda {
namespace {

bool is_below(const Product& upper, const Product& lower, const ProductKind& kind) {
  if (!upper.raises.empty() || upper.parts.size() != 1 || lower.parts.size() != 1 || upper.n != lower.n ||
      upper.output != lower.output || upper.accumulate != lower.accumulate || upper.c_stride != lower.c_stride)
    return false;
  const ProductPart &p = upper.parts.front(), &q = lower.parts.front();
  const std::int64_t c_bytes = upper.m * upper.c_stride * size_bytes(upper.output);
  const std::int64_t a_bytes = upper.m * (kind.a_rows_together ? 1 : p.a_stride) * size_bytes(kind.element);
  return p.b == q.b && p.k == q.k && p.a_stride == q.a_stride && p.b_stride == q.b_stride &&
         static_cast<const std::byte*>(p.a) + a_bytes == q.a && static_cast<std::byte*>(upper.c) + c_bytes == lower.c;
}

}  // namespace

void add_product(std::vector<Product>& products, Product product, std::int32_t num_waits, const ProductKind& kind,
                 bool may_join) {
  const auto rows = static_cast<std::int32_t>(product.m);
  if (may_join && !products.empty() && is_below(products.back(), product, kind)) {
    Product& upper = products.back();
    upper.m += product.m;
    upper.row_groups.push_back({static_cast<std::int32_t>(upper.m), num_waits});
    return;
  }
  product.row_groups = {{rows, num_waits}};
  products.push_back(std::move(product));
}

void continue_sums(std::vector<Product>& products, const std::vector<Product>& more, std::int32_t num_waits) {
  const std::size_t first = products.size() - more.size();
  for (std::size_t i = 0; i < more.size(); ++i)
    for (ProductPart part : more[i].parts) {
      part.num_waits = num_waits;
      products[first + i].parts.push_back(part);
    }
}

}  // namespace meshmul::cuda
