#include "draw/arrows.hpp"

#include <gmock/gmock.h>

#include "draw/two_ranks.hpp"

namespace meshmul::drawing {
namespace {

using ::testing::ElementsAre;

TEST(Arrows, GoFromTheLastIncrementThatAWaitNeeds) {
  // Spans: 0 wait ready, 1 put, 2 wait sent, 3 copy, 4 copy, 5 signal, 6 wait got.
  EXPECT_THAT(arrows(meshmul::testing::two_ranks()), ElementsAre(Arrow{5, 0}, Arrow{1, 2}, Arrow{1, 6}));
}

TEST(Arrows, CountIncrementsAsTheirLaneMakesThem) {
  Schedule schedule = meshmul::testing::two_ranks();
  schedule.ranks[1].lanes[0].ops[0] = Signal{0, 2};  // spans 4 and 5 now raise `ready`
  EXPECT_EQ(arrows(schedule).front(), (Arrow{4, 0}));
  std::get<Wait>(schedule.ranks[0].lanes[0].ops[0]).threshold = 2;
  EXPECT_EQ(arrows(schedule).front(), (Arrow{5, 0}));
}

TEST(Arrows, AWaitForMoreThanThereIsHasNone) {
  Schedule schedule = meshmul::testing::two_ranks();
  std::get<Wait>(schedule.ranks[0].lanes[0].ops[0]).threshold = 2;
  EXPECT_THAT(arrows(schedule), ElementsAre(Arrow{1, 2}, Arrow{1, 6}));
}

TEST(Arrows, AWaitForNothingHasNone) {
  Schedule schedule = meshmul::testing::two_ranks();
  std::get<Wait>(schedule.ranks[0].lanes[0].ops[0]).threshold = 0;
  EXPECT_THAT(arrows(schedule), ElementsAre(Arrow{1, 2}, Arrow{1, 6}));
}

}  // namespace
}  // namespace meshmul::drawing
