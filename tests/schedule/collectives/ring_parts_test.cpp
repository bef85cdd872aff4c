#include "schedule/collectives/ring_parts.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;

TEST(RingPart, GoesRoundTheAxesFromItsOwnOn) {
  const RingPart part({0, 2, 3}, 1, 0.25, 0.75);
  EXPECT_EQ(part.num_phases(), 3);
  EXPECT_EQ(part.axis(0), 2);
  EXPECT_EQ(part.axis(1), 3);
  EXPECT_EQ(part.axis(2), 0);
  EXPECT_EQ(part.lane_pair(0), 1);
  EXPECT_EQ(part.lane_pair(2), 0);
}

TEST(RingPart, PartsOfABlockMakeItUp) {
  const RingPart first({0, 1}, 0, 0, 0.5);
  const RingPart second({0, 1}, 1, 0.5, 1);
  EXPECT_EQ(first.of(Box{{4, 9}, {0, 2}}), (Box{{4, 7}, {0, 2}}));
  EXPECT_EQ(second.of(Box{{4, 9}, {0, 2}}), (Box{{7, 9}, {0, 2}}));
  EXPECT_EQ(first.of(Box{{4, 5}, {0, 8}}), (Box{{4, 5}, {0, 4}})) << "the first dimension is too short";
  EXPECT_TRUE(second.of(Box{{4, 5}}).empty()) << "one element stays whole";
  EXPECT_EQ(RingPart({}, 0, 0, 1).of(Box{{4, 5}}), (Box{{4, 5}}));
}

TEST(HeldBlocks, ComeNearestFirstAndForwardBeforeBackward) {
  const Mesh mesh{{"X", 2}, {"Y", 4}};
  const RingPart part({0, 1}, 1, 0.5, 1);  // along Y, then X
  const std::vector<HeldBlocks> held = held_by_phase(mesh, part, Ways::kBoth, Travel::kAway);
  ASSERT_EQ(held.size(), 2U);
  EXPECT_THAT(held[0][5], ElementsAre(5));
  EXPECT_THAT(held[1][5], ElementsAre(5, 4, 6, 7));
}

TEST(HeldBlocks, OfAReductionAreThoseAheadOfARank) {
  const Mesh mesh{{"X", 4}, {"Y", 2}};
  const RingPart part({0, 1}, 0, 0, 0.5);
  EXPECT_THAT(held_by_phase(mesh, part, Ways::kOne, Travel::kAway)[1][2], ElementsAre(2, 0, 6, 4));
  EXPECT_THAT(held_by_phase(mesh, part, Ways::kOne, Travel::kHome)[1][2], ElementsAre(2, 4, 6, 0));
}

}  // namespace
}  // namespace meshmul
