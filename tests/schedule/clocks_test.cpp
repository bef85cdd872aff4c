#include "schedule/clocks.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <utility>

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNull;
using ::testing::Pointee;

std::shared_ptr<const Clock> clock_of(Clock clock) { return std::make_shared<const Clock>(std::move(clock)); }

TEST(Clocks, MergeTakesTheLargerOfEachComponent) {
  Clock mine = {4, 0, 1};
  merge(mine, {2, 3, 5});
  EXPECT_THAT(mine, ElementsAre(4, 3, 5));
}

TEST(Clocks, WhatIsBeyondTheEndIsZero) {
  Clock shorter = {4};
  merge(shorter, {2, 0, 5});
  EXPECT_THAT(shorter, ElementsAre(4, 0, 5));
  Clock longer = {4, 1, 2};
  merge(longer, {7});
  EXPECT_THAT(longer, ElementsAre(7, 1, 2));
}

TEST(Clocks, AreFoundByTheOrderInWhichTheyWereAdded) {
  Clocks clocks(1000);
  clocks.add(clock_of({1}));
  clocks.add(clock_of({2}));
  EXPECT_THAT(clocks.find(0), Pointee(ElementsAre(1)));
  EXPECT_THAT(clocks.find(1), Pointee(ElementsAre(2)));
  EXPECT_THAT(clocks.find(2), IsNull());
}

TEST(Clocks, TheOldestGoWhenThereIsNoRoom) {
  const Clock large(100, 1);
  Clocks clocks(2 * (sizeof(Clock) + 100 * sizeof(int)));
  for (int i = 0; i < 5; ++i) clocks.add(clock_of(large));
  EXPECT_EQ(clocks.num_added(), 5);
  EXPECT_THAT(clocks.find(2), IsNull());
  EXPECT_THAT(clocks.find(3), Pointee(large));
  EXPECT_THAT(clocks.find(4), Pointee(large));
}

TEST(Clocks, TheLatestStaysEvenWhereThereIsNoRoomAtAll) {
  Clocks clocks(0);
  clocks.add(clock_of({1}));
  clocks.add(clock_of({2}));
  EXPECT_THAT(clocks.find(0), IsNull());
  EXPECT_THAT(clocks.find(1), Pointee(ElementsAre(2)));
}

}  // namespace
}  // namespace meshmul
