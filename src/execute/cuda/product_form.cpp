#include "execute/cuda/product_form.hpp"

#include <algorithm>

#include "kernels/product_loops.hpp"

namespace meshmul::cuda {
namespace {

/// What the kernels can store.
bool is_result(Dtype dtype) { return accumulator_of(dtype) == Dtype::kF32; }

/// All values of the loops of a nest but the last, as offsets.
struct Offset {
  std::int64_t a = 0, b = 0, c = 0;
};
std::vector<Offset> offsets(const LoopNest& nest, int num_loops) {
  std::vector<Offset> all{{}};
  for (int i = 0; i < num_loops; ++i) {
    std::vector<Offset> next;
    for (const Offset& offset : all)
      for (std::int64_t x = 0; x < nest[i].extent; ++x)
        next.push_back({offset.a + x * nest[i].a, offset.b + x * nest[i].b, offset.c + x * nest[i].c});
    all = std::move(next);
  }
  return all;
}

/// The last loop of a nest, which is what a product has one of; of a nest without loops, one of one element.
ProductLoop last(const LoopNest& nest) { return nest.size() == 0 ? ProductLoop{} : nest[nest.size() - 1]; }
int num_outer(const LoopNest& nest) { return std::max(nest.size() - 1, 0); }

/// How an operand with strides `outer` (rows or columns) and `inner` (contraction) lies: nothing if neither index lies
/// together.
struct Lie {
  bool outer_together = false;
  std::int64_t stride = 0;
};
std::optional<Lie> lie_of(const ProductLoop& outer, std::int64_t outer_stride, const ProductLoop& inner,
                          std::int64_t inner_stride) {
  // An index of one element lies together with anything, at a distance that nobody steps. Any multiple of 16 bytes will
  // do.
  constexpr auto kAnyStride = [](std::int64_t extent) { return (extent + 15) / 16 * 16; };
  if (inner_stride == 1 || inner.extent == 1)
    return Lie{false, outer.extent == 1 ? kAnyStride(inner.extent) : outer_stride};
  if (outer_stride == 1 || outer.extent == 1) return Lie{true, inner_stride};
  return std::nullopt;
}

}  // namespace

std::optional<ProductForm> product_form(const View& c, const ConstView& a, const ConstView& b, const Einsum& einsum,
                                        bool accumulate) {
  if (!is_result(c.dtype)) return std::nullopt;
  if (c.num_elements() == 0 || a.num_elements() == 0 || b.num_elements() == 0) return std::nullopt;
  ProductLoops loops = product_loops(c, a, b, einsum);
  const std::byte* a_data = a.data;
  const std::byte* b_data = b.data;
  // The columns of c are the index that lies together.
  if (loops.right.size() > 0 && last(loops.right).c != 1) {
    if (loops.left.size() == 0 || last(loops.left).c != 1) return std::nullopt;
    loops = swapped(loops);
    std::swap(a_data, b_data);
  } else if (loops.right.size() == 0 && loops.left.size() > 0 && last(loops.left).c == 1) {
    loops = swapped(loops);
    std::swap(a_data, b_data);
  }
  const ProductLoop rows = last(loops.left), columns = last(loops.right), inner = last(loops.contracted);
  const auto a_lie = lie_of(rows, rows.a, inner, inner.a);
  const auto b_lie = lie_of(columns, columns.b, inner, inner.b);
  if (!a_lie || !b_lie) return std::nullopt;

  ProductForm form;
  form.kind = {
      .element = a.dtype, .a_rows_together = a_lie->outer_together, .b_columns_together = b_lie->outer_together};
  constexpr std::int64_t kMost = 4096;
  std::int64_t count = 1;
  for (const LoopNest* nest : {&loops.batch, &loops.left, &loops.right, &loops.contracted}) {
    count *= nest->num_elements() / (nest == &loops.batch ? 1 : last(*nest).extent);
    if (count > kMost) return std::nullopt;
  }
  const std::int64_t in_bytes = size_bytes(a.dtype), out_bytes = size_bytes(c.dtype);
  const std::vector<Offset> parts = offsets(loops.contracted, num_outer(loops.contracted));
  for (const Offset& batch : offsets(loops.batch, loops.batch.size()))
    for (const Offset& left : offsets(loops.left, num_outer(loops.left)))
      for (const Offset& right : offsets(loops.right, num_outer(loops.right))) {
        Product product;
        product.m = rows.extent;
        product.n = columns.extent;
        product.c = c.data + (batch.c + left.c + right.c) * out_bytes;
        product.c_stride = rows.extent == 1 ? (columns.extent + 15) / 16 * 16 : rows.c;
        product.output = c.dtype;
        product.accumulate = accumulate;
        for (const Offset& part : parts)
          product.parts.push_back({.a = a_data + (batch.a + left.a + part.a) * in_bytes,
                                   .b = b_data + (batch.b + right.b + part.b) * in_bytes,
                                   .a_stride = a_lie->stride,
                                   .b_stride = b_lie->stride,
                                   .k = inner.extent});
        form.products.push_back(std::move(product));
      }
  if (!has_kernel(form.kind, form.products)) return std::nullopt;
  return form;
}

}  // namespace meshmul::cuda
