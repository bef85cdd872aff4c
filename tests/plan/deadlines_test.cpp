#include "plan/deadlines.hpp"

#include <gtest/gtest.h>

#include "plan/toy_hardware.hpp"

namespace meshmul {
namespace {

TEST(Deadlines, AreTheSameEverywhereWithoutTargets) {
  Deadlines deadlines(2.0);
  EXPECT_TRUE(deadlines.is_in_time(7, 2.0));
  EXPECT_FALSE(deadlines.is_in_time(7, 2.1));
  EXPECT_EQ(deadlines.latest(7), 2.0);
  EXPECT_TRUE(Deadlines().is_in_time(0, 1e300));
}

TEST(Deadlines, LeaveTimeForTheMovesThatAreStillToCome) {
  const Mesh mesh{{"X", 4}};
  const ArrayType array = parse_array("f32 A[I=64, J=64]", mesh);
  const Hardware hardware = testing::toy_hardware();
  const Machine machine = machines(mesh, hardware, {}).front();
  const AxisNumbering axes(mesh);
  const CostModel cost(axes, machine);
  const StateSpace space(array, {Dtype::kF32, Dtype::kF32, 0}, 0, axes);
  const MoveBounds bounds(space, cost);
  const int whole = space.find(axes.pack(parse_array("f32 A[I=64, J=64]", mesh).sharding));
  const int rows = space.find(axes.pack(parse_array("f32 A[I=64_X, J=64]", mesh).sharding));
  const double gather = bounds.seconds(rows, whole);
  ASSERT_GT(gather, 0);

  Deadlines into(bounds, Direction::kFromAnchors, {{whole, 3 * gather}, {rows, gather / 2}}, space.size());
  EXPECT_EQ(into.latest(), 3 * gather);
  EXPECT_TRUE(into.is_in_time(rows, 2 * gather));
  EXPECT_FALSE(into.is_in_time(rows, 2.5 * gather));
  EXPECT_LT(into.latest(rows), 2.5 * gather);
  EXPECT_TRUE(into.is_in_time(whole, 3 * gather));
  // A slice is free on the way to the end, not from it.
  Deadlines out(bounds, Direction::kToAnchors, {{rows, 3 * gather}}, space.size());
  EXPECT_TRUE(out.is_in_time(whole, 2 * gather));
  EXPECT_FALSE(out.is_in_time(whole, 2.5 * gather));

  Deadlines none(bounds, Direction::kFromAnchors, {}, space.size());
  EXPECT_FALSE(none.is_in_time(rows, 0));
}

}  // namespace
}  // namespace meshmul
