#include "schedule/placed_array.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kMesh{{"X", 4}};

TEST(PlacedArray, ABufferHasTheShapeOfTheLargestShard) {
  ScheduleBuilder builder(kMesh);
  const PlacedArray a = place(builder, "a", parse_array("bf16 A[I=10_X, J=3]", kMesh));
  EXPECT_EQ(builder.buffer(a.buffer).shape, (Shape{3, 3}));
  EXPECT_EQ(builder.buffer(a.buffer).dtype, Dtype::kBf16);
  EXPECT_THAT(a.global,
              ElementsAre(Box{{0, 3}, {0, 3}}, Box{{3, 6}, {0, 3}}, Box{{6, 9}, {0, 3}}, Box{{9, 10}, {0, 3}}));
  EXPECT_EQ(a.region(3), (Region{3, a.buffer, Box{{0, 1}, {0, 3}}}));
  EXPECT_EQ(a.region(1, Box{{4, 6}, {1, 2}}), (Region{1, a.buffer, Box{{1, 3}, {1, 2}}}));
}

TEST(PlacedArray, AnEmptyPartLiesInsideOfTheBuffer) {
  ScheduleBuilder builder(kMesh);
  const PlacedArray a = place(builder, "a", parse_array("A[I=10_X, J=3]", kMesh));
  EXPECT_EQ(a.region(0, Box{{10, 10}, {0, 3}}).box, (Box{{0, 0}, {0, 3}}));
  EXPECT_EQ(region_in_corner(2, 7, Box{{3, 6}}, Box{{6, 6}}), (Region{2, 7, Box{{0, 0}}}));
  EXPECT_EQ(region_in_corner(2, 7, Box{{3, 6}}, Box{{4, 6}}), (Region{2, 7, Box{{1, 3}}}));
}

TEST(PlacedArray, ASliceIsTheSameMemory) {
  ScheduleBuilder builder(kMesh);
  const PlacedArray whole = place(builder, "a", parse_array("A[I=10, J=3]", kMesh));
  const PlacedArray part = sliced(whole, parse_array("A[I=10_X, J=3]", kMesh), kMesh);
  EXPECT_EQ(part.buffer, whole.buffer);
  EXPECT_EQ(part.region(2).box, (Box{{6, 9}, {0, 3}}));
  EXPECT_EQ(part.region(2, Box{{7, 8}, {0, 3}}).box, (Box{{7, 8}, {0, 3}}));
  const PlacedArray empty =
      sliced(place(builder, "b", parse_array("A[I=2, J=3]", kMesh)), parse_array("A[I=2_X, J=3]", kMesh), kMesh);
  EXPECT_EQ(empty.region(3).box, (Box{{0, 0}, {0, 3}}));
}

TEST(PlacedArray, BoxesOfAnySizeShareOneBuffer) {
  ScheduleBuilder builder(Mesh{{"X", 2}});
  const PlacedArray boxes =
      place_boxes(builder, "a", parse_array("A[I=9, J=9]", builder.mesh()), {Box{{1, 4}, {0, 2}}, Box{{0, 1}, {3, 9}}});
  EXPECT_EQ(builder.buffer(boxes.buffer).shape, (Shape{3, 6}));
  EXPECT_THAT(holdings_of(boxes, "A"),
              ElementsAre(Holding{"A", Box{{1, 4}, {0, 2}}, Region{0, boxes.buffer, Box{{0, 3}, {0, 2}}}},
                          Holding{"A", Box{{0, 1}, {3, 9}}, Region{1, boxes.buffer, Box{{0, 1}, {0, 6}}}}));
}

}  // namespace
}  // namespace meshmul
