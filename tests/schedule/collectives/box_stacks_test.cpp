#include "schedule/collectives/box_stacks.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;

TEST(BoxStacks, LieOneBehindTheOtherAlongTheFirstDimension) {
  const BoxStacks stacks({{0, 2}, {1}, {2, 1}}, {Box{{0, 2}, {0, 5}}, Box{{2, 5}, {3, 4}}, Box{{5, 6}, {1, 8}}});
  EXPECT_THAT(stacks.owners(2), ElementsAre(2, 1));
  EXPECT_THAT(stacks.shape(), ElementsAre(4, 7));
  const Region whole = stacks.region(1, 9, 0, 2, Box{{5, 6}, {1, 8}});
  EXPECT_EQ(whole.rank, 1);
  EXPECT_EQ(whole.buffer, 9);
  EXPECT_EQ(whole.box, (Box{{2, 3}, {0, 7}}));
  EXPECT_EQ(stacks.region(0, 9, 2, 1, Box{{3, 5}, {3, 4}}).box, (Box{{2, 4}, {0, 1}}));
}

TEST(BoxStacks, AnEmptyBlockTakesNoRoom) {
  const BoxStacks stacks({{0, 1}, {1}}, {Box{{4, 4}, {0, 3}}, Box{{0, 4}, {0, 3}}});
  EXPECT_THAT(stacks.shape(), ElementsAre(4, 3));
  EXPECT_TRUE(stacks.region(0, 0, 0, 0, Box{{4, 4}, {0, 3}}).box.empty());
  EXPECT_EQ(stacks.region(0, 0, 0, 1, Box{{1, 2}, {0, 3}}).box, (Box{{1, 2}, {0, 3}}));
}

}  // namespace
}  // namespace meshmul
