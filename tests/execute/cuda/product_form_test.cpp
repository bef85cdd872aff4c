// Gemms as products of rows, columns and one contraction: computed from that form on the host, they give what the
// reference kernels give.

#include "execute/cuda/product_form.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "kernels/kernels.hpp"
#include "meshmul/element.hpp"

namespace meshmul::cuda {
namespace {

/// What the kernel does, element by element.
void compute(const ProductForm& form) {
  for (const Product& product : form.products)
    for (std::int64_t i = 0; i < product.m; ++i)
      for (std::int64_t j = 0; j < product.n; ++j) {
        Bf16& c = static_cast<Bf16*>(product.c)[i * product.c_stride + j];
        float sum = product.accumulate ? static_cast<float>(c) : 0;
        for (const ProductPart& part : product.parts)
          for (std::int64_t k = 0; k < part.k; ++k) {
            const std::int64_t a = form.kind.a_rows_together ? k * part.a_stride + i : i * part.a_stride + k;
            const std::int64_t b = form.kind.b_columns_together ? k * part.b_stride + j : j * part.b_stride + k;
            sum += static_cast<float>(static_cast<const Bf16*>(part.a)[a]) *
                   static_cast<float>(static_cast<const Bf16*>(part.b)[b]);
          }
        c = Bf16(sum);
      }
}

/// A dense array at an aligned address, of small whole numbers.
struct Array {
  struct alignas(256) Aligned {
    Bf16 elements[128];
  };
  std::vector<Aligned> memory;
  Shape shape;
  Box box;

  Array(const Shape& whole, const Box& part, int seed)
      : memory(static_cast<std::size_t>(Box::whole(whole).num_elements()) / 128 + 1), shape(whole), box(part) {
    for (std::size_t i = 0; i < memory.size() * 128; ++i)
      data()[i] = Bf16(static_cast<float>((static_cast<int>(i) * 7 + seed) % 5 - 2));
  }
  Bf16* data() { return memory.front().elements; }
  View view() { return view_of(reinterpret_cast<std::byte*>(data()), Dtype::kBf16, shape, box); }
  /// The bits of all of it, what lies beside the box too.
  std::vector<std::uint16_t> bits() {
    std::vector<std::uint16_t> all;
    for (std::int64_t i = 0; i < Box::whole(shape).num_elements(); ++i) all.push_back(data()[i].bits);
    return all;
  }
};

struct Case {
  const char* einsum;
  Array a, b, c;
  std::size_t num_products;
  std::size_t num_parts;
};

Box whole(const Shape& shape) { return Box::whole(shape); }

TEST(ProductForm, GivesWhatReferenceKernelsGive) {
  std::vector<Case> cases;
  const auto dense = [&](const char* einsum, Shape a, Shape b, Shape c, std::size_t products, std::size_t parts) {
    cases.push_back({einsum, Array(a, whole(a), 1), Array(b, whole(b), 2), Array(c, whole(c), 3), products, parts});
  };
  dense("ik,kj->ij", {24, 16}, {16, 40}, {24, 40}, 1, 1);
  dense("ik,jk->ij", {24, 16}, {40, 16}, {24, 40}, 1, 1);
  dense("ki,kj->ij", {16, 24}, {16, 40}, {24, 40}, 1, 1);
  dense("ki,jk->ij", {16, 24}, {40, 16}, {24, 40}, 1, 1);
  dense("ik,kj->ji", {24, 16}, {16, 40}, {40, 24}, 1, 1);
  dense("bik,bkj->bij", {3, 8, 16}, {3, 16, 24}, {3, 8, 24}, 3, 1);
  dense("bik,kj->bij", {3, 8, 16}, {16, 24}, {3, 8, 24}, 1, 1);
  dense("ibk,kj->bij", {8, 3, 16}, {16, 24}, {3, 8, 24}, 3, 1);
  dense("ikl,klj->ij", {8, 4, 16}, {4, 16, 24}, {8, 24}, 1, 1);
  dense("ikl,lkj->ij", {8, 4, 16}, {16, 4, 24}, {8, 24}, 1, 4);
  dense("k,kj->j", {16}, {16, 24}, {24}, 1, 1);
  dense("ik,k->i", {24, 16}, {16}, {24}, 1, 1);
  dense("ik,jk->ij", {24, 16}, {1, 16}, {24, 1}, 1, 1);
  cases.push_back({"ik,kj->ij", Array({64, 32}, {{8, 31}, {8, 24}}, 1), Array({32, 64}, {{8, 24}, {16, 55}}, 2),
                   Array({64, 64}, {{3, 26}, {16, 55}}, 3), 1, 1});
  for (Case& test : cases)
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(fmt::format("{} {}", test.einsum, accumulate));
      Array expected = test.c;
      const Einsum einsum = parse_einsum(test.einsum);
      const auto form = product_form(test.c.view(), test.a.view(), test.b.view(), einsum, accumulate);
      ASSERT_TRUE(form.has_value());
      EXPECT_EQ(form->products.size(), test.num_products);
      for (const Product& product : form->products) EXPECT_EQ(product.parts.size(), test.num_parts);
      make_local_products("reference")->gemm(expected.view(), test.a.view(), test.b.view(), einsum, accumulate);
      compute(*form);
      EXPECT_EQ(test.c.bits(), expected.bits());
    }
}

TEST(ProductForm, IsRefusedWhereNoKernelReadsTheOperands) {
  const auto has_form = [](Dtype dtype, const Shape& a_shape, const Box& a_box, const Shape& b_shape,
                           const Shape& c_shape, const char* einsum) {
    std::vector<double> memory(4096);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    std::byte* base = reinterpret_cast<std::byte*>(memory.data()) + (256 - address % 256) % 256;
    return product_form(view_of(base, product_dtype(dtype), c_shape, Box::whole(c_shape)),
                        view_of(base, dtype, a_shape, a_box), view_of(base, dtype, b_shape, Box::whole(b_shape)),
                        parse_einsum(einsum), false)
        .has_value();
  };
  const Shape square{16, 16};
  const Box all = Box::whole(square);
  EXPECT_TRUE(has_form(Dtype::kBf16, square, all, square, square, "ik,kj->ij"));
  EXPECT_TRUE(has_form(Dtype::kF16, square, all, square, square, "ik,kj->ij"));
  EXPECT_TRUE(has_form(Dtype::kF8e4m3, square, all, square, square, "ik,jk->ij"));
  EXPECT_FALSE(has_form(Dtype::kF8e4m3, square, all, square, square, "ik,kj->ij")) << "columns lie together";
  EXPECT_FALSE(has_form(Dtype::kF32, square, all, square, square, "ik,kj->ij"));
  EXPECT_FALSE(has_form(Dtype::kF64, square, all, square, square, "ik,kj->ij"));
  EXPECT_FALSE(has_form(Dtype::kI8, square, all, square, square, "ik,kj->ij"));
  EXPECT_FALSE(has_form(Dtype::kBf16, square, {{0, 16}, {1, 16}}, {15, 16}, square, "ik,kj->ij"))
      << "begins at 2 bytes";
  EXPECT_FALSE(has_form(Dtype::kBf16, {16, 15}, {{0, 16}, {0, 15}}, {15, 16}, square, "ik,kj->ij"))
      << "rows of 30 bytes";
  EXPECT_FALSE(has_form(Dtype::kBf16, {0, 16}, {{0, 0}, {0, 16}}, square, {0, 16}, "ik,kj->ij")) << "empty";
}

}  // namespace
}  // namespace meshmul::cuda
