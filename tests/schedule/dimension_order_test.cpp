#include "schedule/dimension_order.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ArrayType array(const char* text) { return parse_array(text, Mesh{}); }

TEST(DimensionOrder, FollowsTheNamesOfTheIndices) {
  const DimensionOrder order(array("A[K=4, I=2, J=3]"), array("A[I=2, J=3, K=4]"));
  EXPECT_FALSE(order.is_same());
  EXPECT_THAT(order.permutation(), ElementsAre(2, 0, 1));
  const Box source{{0, 2}, {1, 3}, {2, 4}};
  const Box target{{2, 4}, {0, 2}, {1, 3}};
  EXPECT_EQ(order.in_target(source), target);
  EXPECT_EQ(order.in_source(target), source);
}

TEST(DimensionOrder, TheSameOrderNeedsNoPermutation) {
  const DimensionOrder order(array("A[I=2, J=3]"), array("A[I=2, J=3]"));
  EXPECT_TRUE(order.is_same());
  EXPECT_THAT(order.permutation(), IsEmpty());
  EXPECT_EQ(order.in_source(Box{{0, 1}, {2, 3}}), (Box{{0, 1}, {2, 3}}));
}

TEST(DimensionOrder, DimensionsWithoutANameKeepTheirPlace) {
  EXPECT_TRUE(DimensionOrder(array("A[2, 2]"), array("A[2, 2]")).is_same());
}

}  // namespace
}  // namespace meshmul
