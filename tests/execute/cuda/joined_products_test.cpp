// Rows below one another become one product, parts of one sum too.

#include "execute/cuda/gemm/joined_products.hpp"

#include <gmock/gmock.h>

namespace meshmul::cuda {
namespace {

constexpr std::int64_t kK = 64, kN = 32;
const ProductKind kKind{.element = Dtype::kBf16};

/// Rows `begin` to `end` of a product in one memory.
Product rows(std::int64_t begin, std::int64_t end) {
  alignas(256) static std::byte a[1 << 16], b[1 << 16], c[1 << 16];
  return {.m = end - begin,
          .n = kN,
          .parts = {{.a = a + begin * kK * 2, .b = b, .a_stride = kK, .b_stride = kK, .k = kK}},
          .c = c + begin * kN * 2,
          .c_stride = kN,
          .row_groups = {},
          .raises = {}};
}

TEST(JoinedProducts, JoinsRowsThatLieBelowOneAnotherEachBehindItsWaits) {
  std::vector<Product> products;
  add_product(products, rows(0, 5), 0, kKind, true);
  add_product(products, rows(5, 7), 2, kKind, true);
  add_product(products, rows(7, 10), 3, kKind, true);
  ASSERT_EQ(products.size(), 1U);
  EXPECT_EQ(products[0].m, 10);
  ASSERT_EQ(products[0].row_groups.size(), 3U);
  EXPECT_EQ(products[0].row_groups[1].end_row, 7);
  EXPECT_EQ(products[0].row_groups[1].num_waits, 2);
  EXPECT_EQ(products[0].row_groups[2].end_row, 10);
  EXPECT_EQ(products[0].row_groups[2].num_waits, 3);
}

TEST(JoinedProducts, KeepsApartWhatMayNotJoinOrLiesElsewhere) {
  const auto count = [](Product second, bool may_join, bool raised = false) {
    std::vector<Product> products;
    add_product(products, rows(0, 5), 0, kKind, false);
    if (raised) products.back().raises.push_back({});
    add_product(products, std::move(second), 1, kKind, may_join);
    return products.size();
  };
  EXPECT_EQ(count(rows(5, 7), true), 1U);
  EXPECT_EQ(count(rows(5, 7), false), 2U);
  EXPECT_EQ(count(rows(5, 7), true, true), 2U);
  EXPECT_EQ(count(rows(6, 7), true), 2U);
  Product other = rows(5, 7);
  other.accumulate = true;
  EXPECT_EQ(count(other, true), 2U);
  other = rows(5, 7);
  other.output = Dtype::kF32;
  EXPECT_EQ(count(other, true), 2U);
  other = rows(5, 7);
  other.parts[0].b = other.parts[0].a;
  EXPECT_EQ(count(other, true), 2U);
}

TEST(JoinedProducts, GivesTheLastProductsThePartsOfOthers) {
  std::vector<Product> products;
  for (int i = 0; i < 3; ++i) add_product(products, rows(8 * i, 8 * i + 4), 0, kKind, true);
  continue_sums(products, {rows(40, 44), rows(48, 52)}, 5);
  ASSERT_EQ(products.size(), 3U);
  EXPECT_EQ(products[0].parts.size(), 1U);
  ASSERT_EQ(products[1].parts.size(), 2U);
  ASSERT_EQ(products[2].parts.size(), 2U);
  EXPECT_EQ(products[1].parts[1].a, rows(40, 44).parts[0].a);
  EXPECT_EQ(products[2].parts[1].num_waits, 5);
}

}  // namespace
}  // namespace meshmul::cuda
