#include "kernels/reference_products.hpp"

#include <gmock/gmock.h>

#include "test_array.hpp"

namespace meshmul {
namespace {

TEST(ReferenceProducts, multiplies_two_matrices_by_the_schoolbook) {
  std::mt19937_64 random(1);
  for (const Dtype dtype : kAllDtypes) {
    TestArray a(dtype, {2, 3}, random);
    TestArray b(dtype, {3, 2}, random);
    TestArray c(product_dtype(dtype), {2, 2}, random);
    int next = 1;
    a.each([&]<class T>(T& element) { element = convert<T>(static_cast<float>(next++)); });
    next = -2;
    b.each([&]<class T>(T& element) { element = convert<T>(static_cast<float>(next++)); });
    c.poison();
    ReferenceProducts().gemm(c.view(), a.view(), b.view(), parse_einsum("ij,jk->ik"), false);
    // (1 2 3; 4 5 6) * (-2 -1; 0 1; 2 3)
    EXPECT_THAT(c.values(), testing::ElementsAre(4, 10, 4, 19)) << name(dtype);
    ReferenceProducts().gemm(c.view(), a.view(), b.view(), parse_einsum("ij,jk->ki"), true);
    EXPECT_THAT(c.values(), testing::ElementsAre(8, 14, 14, 38)) << name(dtype);
  }
}

TEST(ReferenceProducts, treats_batch_outer_and_empty_products) {
  std::mt19937_64 random(2);
  TestArray a(Dtype::kF32, {2, 1}, random);
  TestArray b(Dtype::kF32, {1, 2}, random);
  a.fill_integers(random, 8);
  b.fill_integers(random, 8);
  const std::vector<double> as = a.values();
  const std::vector<double> bs = b.values();
  TestArray outer(Dtype::kF32, {2, 2}, random);
  ReferenceProducts().gemm(outer.view(), a.view(), b.view(), parse_einsum("ij,jk->ik"), false);
  EXPECT_THAT(outer.values(), testing::ElementsAre(as[0] * bs[0], as[0] * bs[1], as[1] * bs[0], as[1] * bs[1]));

  TestArray batch(Dtype::kF32, {1, 2}, random);
  ReferenceProducts().gemm(batch.view(), a.view(), b.view(), parse_einsum("bj,jb->jb"), false);
  EXPECT_THAT(batch.values(), testing::ElementsAre(as[0] * bs[0], as[1] * bs[1]));

  TestArray empty_a(Dtype::kF32, {2, 0}, random);
  TestArray empty_b(Dtype::kF32, {0, 2}, random);
  ReferenceProducts().gemm(outer.view(), empty_a.view(), empty_b.view(), parse_einsum("ij,jk->ik"), true);
  EXPECT_EQ(outer.values()[0], as[0] * bs[0]);
  outer.poison();
  ReferenceProducts().gemm(outer.view(), empty_a.view(), empty_b.view(), parse_einsum("ij,jk->ik"), false);
  EXPECT_THAT(outer.values(), testing::Each(0.0));
}

TEST(ReferenceProducts, sums_16_bit_floats_in_f32_and_rounds_once) {
  std::mt19937_64 random(3);
  TestArray a(Dtype::kBf16, {1, 300}, random);
  TestArray b(Dtype::kBf16, {300, 1}, random);
  TestArray c(Dtype::kBf16, {1, 1}, random);
  a.each([]<class T>(T& element) { element = convert<T>(1.0F); });
  b.each([]<class T>(T& element) { element = convert<T>(1.0F); });
  ReferenceProducts().gemm(c.view(), a.view(), b.view(), parse_einsum("ij,jk->ik"), false);
  // A sum kept in bf16 would stop at 256, where the spacing is 2.
  EXPECT_THAT(c.values(), testing::ElementsAre(300.0));
}

TEST(ReferenceProducts, wraps_i32) {
  std::mt19937_64 random(4);
  TestArray a(Dtype::kI32, {1, 1}, random);
  TestArray c(Dtype::kI32, {1, 1}, random);
  a.each([]<class T>(T& element) { element = convert<T>(65537); });
  ReferenceProducts().gemm(c.view(), a.view(), a.view(), parse_einsum("ij,jk->ik"), false);
  EXPECT_THAT(c.values(), testing::ElementsAre(131073.0));  // 65537^2 = 2^32 + 2^17 + 1
}

}  // namespace
}  // namespace meshmul
