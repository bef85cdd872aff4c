#include "execute/cuda/flat_product.hpp"

#include "kernels/product_loops.hpp"

namespace meshmul::cuda {
namespace {

FlatRole flat(const LoopNest& nest, std::int64_t ProductLoop::* first, std::int64_t ProductLoop::* second) {
  FlatRole role;
  role.count = nest.num_elements();
  role.num_loops = nest.size();
  for (int i = 0; i < nest.size(); ++i) {
    role.extents[i] = nest[i].extent;
    role.strides[0][i] = nest[i].*first;
    role.strides[1][i] = second == nullptr ? 0 : nest[i].*second;
  }
  return role;
}

}  // namespace

FlatProduct flat_product(const View& c, const ConstView& a, const ConstView& b, const Einsum& einsum, bool accumulate) {
  const ProductLoops loops = product_loops(c, a, b, einsum);
  return {.c = c.data,
          .a = a.data,
          .b = b.data,
          .dtype = a.dtype,
          .c_dtype = c.dtype,
          .accumulate = accumulate,
          .batch = flat(loops.batch, &ProductLoop::a, &ProductLoop::b),
          .batch_in_c = flat(loops.batch, &ProductLoop::c, nullptr),
          .left = flat(loops.left, &ProductLoop::a, &ProductLoop::c),
          .right = flat(loops.right, &ProductLoop::b, &ProductLoop::c),
          .contracted = flat(loops.contracted, &ProductLoop::a, &ProductLoop::b),
          .sum = accumulator_of(a.dtype)};
}

}  // namespace meshmul::cuda
