#include "schedule/collectives/ring.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

TEST(Ring, PositionsWrapAroundEitherWay) {
  const Ring ring({5, 7, 9});
  EXPECT_EQ(ring.rank(4), 7);
  EXPECT_EQ(ring.rank(-1), 9);
  EXPECT_EQ(ring.wrap(-4), 2);
}

TEST(Ring, OneOverSeveralAxesIsTheFlattenedGroup) {
  const Mesh mesh{{"X", 2}, {"Y", 2}, {"Z", 2}};
  const std::vector<Ring> rings = rings_along(mesh, {0, 2});
  ASSERT_EQ(rings.size(), 2U);
  std::vector<int> ranks;
  for (int position = 0; position < 4; ++position) ranks.push_back(rings[1].rank(position));
  EXPECT_THAT(ranks, ElementsAre(2, 3, 6, 7));
}

TEST(MovedAxes, AreThoseThatStandElsewhere) {
  const Mesh mesh{{"X", 2}, {"Y", 2}, {"Z", 2}};
  const auto moved = [&](const char* from, const char* to) {
    return moved_axes(parse_array(from, mesh), parse_array(to, mesh));
  };
  EXPECT_THAT(moved("A[I=8_ZX, J=8_Y]", "A[I=8_Z, J=8_Y]"), ElementsAre(0));
  EXPECT_THAT(moved("A[I=8_ZX, J=8_Y]", "A[I=8, J=8_YXZ]"), ElementsAre(0, 2));
  EXPECT_THAT(moved("A[I=8, J=8]{U_XY}", "A[I=8_X, J=8]"), ElementsAre(0, 1));
}

TEST(Streams, OneWayReachesAllOthersForward) {
  const auto streams = streams_of(5, Ways::kOne);
  ASSERT_EQ(streams.size(), 1U);
  EXPECT_EQ(streams[0].num_hops, 4);
  const Box block{{0, 6}};
  EXPECT_EQ(streams[0].share(block, 4), block);
  EXPECT_TRUE(streams[0].share(block, 5).empty());
}

TEST(Streams, BothWaysSplitTheBlockBetweenOppositeMembers) {
  const auto streams = streams_of(4, Ways::kBoth);
  ASSERT_EQ(streams.size(), 2U);
  const Box block{{0, 5}};
  EXPECT_EQ(streams[0].share(block, 1), block);
  EXPECT_EQ(streams[1].share(block, 1), block);
  EXPECT_EQ(streams[0].share(block, 2), (Box{{0, 3}}));
  EXPECT_EQ(streams[1].share(block, 2), (Box{{3, 5}}));
}

TEST(Streams, AnOddRingHasNoOppositeMembers) {
  const auto streams = streams_of(5, Ways::kBoth);
  const Box block{{0, 5}};
  EXPECT_EQ(streams[0].share(block, 2), block);
  EXPECT_EQ(streams[1].share(block, 2), block);
  EXPECT_TRUE(streams[1].share(block, 3).empty());
}

}  // namespace
}  // namespace meshmul
