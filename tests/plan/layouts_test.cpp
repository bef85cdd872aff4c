#include "plan/layouts.hpp"

#include <gmock/gmock.h>

#include <set>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

constexpr AxisSet kX = 1, kY = 2;

Product product(const std::string& text, const Mesh& mesh) { return std::get<Product>(parse_statement(text, mesh)); }

std::vector<ComputeLayout> compute_layouts(const ProductIndices& indices, AxisSet axes, AxisSet a_unreduced,
                                           AxisSet b_unreduced) {
  std::vector<ComputeLayout> layouts;
  for_each_compute_layout(indices, axes, a_unreduced, b_unreduced,
                          [&](const ComputeLayout& layout) { layouts.push_back(layout); });
  return layouts;
}

std::size_t num_layouts(const std::string& text, int num_axes) {
  const Mesh mesh{{"X", 2}};
  const auto axes = (1 << num_axes) - 1;
  return compute_layouts(ProductIndices(product(text, mesh)), axes, 0, 0).size();
}

TEST(Layouts, ThreeIndicesHave4And19And106And685) {
  std::vector<std::size_t> counts;
  for (int axes = 0; axes <= 4; ++axes) counts.push_back(num_layouts("A[I=2, J=3] * B[J, K=4] -> C[I, K]", axes));
  EXPECT_THAT(counts, ElementsAre(1, 4, 19, 106, 685));
}

TEST(Layouts, FiveIndicesHave6And41And316) {
  std::vector<std::size_t> counts;
  for (int axes = 1; axes <= 3; ++axes)
    counts.push_back(num_layouts("A[G=2, I=2, J=2, L=2] * B[G, J, L, K=2] -> C[G, I, K]", axes));
  EXPECT_THAT(counts, ElementsAre(6, 41, 316));
}

TEST(Layouts, EachOccursOnceInTextOrder) {
  const Mesh mesh{{"X", 2}};
  const ProductIndices indices(product("A[I=2, J=3] * B[J, K=4] -> C[I, K]", mesh));
  const std::vector<ComputeLayout> layouts = compute_layouts(indices, kX | kY, 0, 0);
  for (std::size_t i = 1; i < layouts.size(); ++i) EXPECT_LT(layouts[i - 1].indices, layouts[i].indices);
}

TEST(Layouts, ACutContractedIndexLeavesTheOutputPartial) {
  const Mesh mesh{{"X", 2}};
  const ProductIndices indices(product("A[I=2, J=3] * B[J, K=4] -> C[I, K]", mesh));
  int partial = 0;
  for (const ComputeLayout& layout : compute_layouts(indices, kX, 0, 0)) {
    EXPECT_EQ(layout.c.unreduced, layout.indices.dims[1].set());
    EXPECT_EQ(layout.a.dims[1], layout.b.dims[0]);
    if (layout.c.unreduced != 0) ++partial;
  }
  EXPECT_EQ(partial, 1);
}

TEST(Layouts, PartialSumsPassThroughOneInputOverALeftOverAxis) {
  const Mesh mesh{{"X", 2}};
  const ProductIndices indices(product("A[I=2, J=3] * B[J, K=4] -> C[I, K]", mesh));
  int through_a = 0;
  int through_b = 0;
  for (const ComputeLayout& layout : compute_layouts(indices, kX, kX, kX)) {
    EXPECT_EQ(layout.a.unreduced & layout.b.unreduced, 0);
    if ((layout.a.unreduced | layout.b.unreduced) == 0) continue;
    EXPECT_EQ(layout.indices.cut, 0);
    EXPECT_EQ(layout.c.unreduced, kX);
    ++(layout.a.unreduced != 0 ? through_a : through_b);
  }
  EXPECT_EQ(through_a, 1);
  EXPECT_EQ(through_b, 1);
}

TEST(Layouts, TheOutputMayHaveItsDimensionsInAnyOrder) {
  const Mesh mesh{{"X", 2}};
  const ProductIndices indices(product("A[I=2, J=3] * B[J, K=4] -> C[K, I]", mesh));
  EXPECT_THAT(indices.a, ElementsAre(0, 1));
  EXPECT_THAT(indices.b, ElementsAre(1, 2));
  EXPECT_THAT(indices.c, ElementsAre(2, 0));
  EXPECT_THAT(indices.sizes, ElementsAre(2, 3, 4));
  EXPECT_THAT(indices.contracted, ElementsAre(false, true, false));
}

TEST(Layouts, WhatIsNoProductIsRefused) {
  const ArrayType a{"A", Dtype::kF32, {{"I", 2}, {"J", 3}}, Sharding::replicated(2)};
  const ArrayType b{"B", Dtype::kF32, {{"J", 3}, {"K", 4}}, Sharding::replicated(2)};
  const auto with_output = [&](std::vector<Dim> dims) {
    const int num_dims = static_cast<int>(dims.size());
    return Product{a, b, {"C", Dtype::kF32, std::move(dims), Sharding::replicated(num_dims)}};
  };
  const auto message = [&](const Product& wrong) -> std::string {
    try {
      ProductIndices indices(wrong);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message(with_output({{"I", 2}, {"L", 4}})), "index L of C is in neither input");
  EXPECT_EQ(message(with_output({{"I", 2}, {"K", 5}})), "index K has the sizes 4 and 5");
  EXPECT_EQ(message(with_output({{"I", 2}})), "index K is in one input alone and not in C");
}

}  // namespace
}  // namespace meshmul
