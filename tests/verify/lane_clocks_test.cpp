#include "verify/lane_clocks.hpp"

#include <gmock/gmock.h>

namespace meshmul::verification {
namespace {

// Rank 0 has the lanes 0 and 1, rank 1 has lane 2.
Schedule schedule() {
  return parse_schedule(R"(meshmul schedule 1
    mesh X=2
    requires nothing
    signal s
    signal t
    rank 0
      lane compute
        signal 1 s
        signal 1 s
      lane copy0
        wait t >= 1
    rank 1
      lane compute
        wait s >= 1
        wait s >= 2
        signal 0 t
  )");
}

TEST(LaneClocks, AWaitTeachesWhatItsIncrementPublished) {
  const LaneTable lanes(schedule(), 1);
  LaneClocks clocks(schedule(), lanes, 1);
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  clocks.raise(0, 2, {1, 0, Event::kWriteVisible});
  EXPECT_FALSE(clocks.knows(2, 0, 0));
  clocks.pass(2, 0, 1, {0, 1}, 0);
  EXPECT_TRUE(clocks.knows(2, 0, 0));
  EXPECT_FALSE(clocks.knows(2, 0, 1)) << "the second increment has happened, but this wait does not tell";
  clocks.pass(2, 1, 1, {0, 2}, 0);
  EXPECT_TRUE(clocks.knows(2, 0, 1));
  EXPECT_FALSE(clocks.knows(0, 2, 0)) << "knowledge goes one way";
}

TEST(LaneClocks, KnowledgeIsPassedOn) {
  const LaneTable lanes(schedule(), 1);
  LaneClocks clocks(schedule(), lanes, 1);
  const Increment first = clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  const Increment second = clocks.raise(0, 2, {1, 0, Event::kWriteVisible});
  clocks.pass(2, 0, 1, {0, 1}, 0);
  clocks.pass(2, 1, 1, {0, 2}, 0);
  EXPECT_TRUE(clocks.knows(2, first));
  EXPECT_FALSE(clocks.knows(1, first));
  clocks.raise(2, 3, {0, 1, Event::kWriteVisible});
  clocks.pass(1, 0, 0, {1, 1}, 0);
  EXPECT_TRUE(clocks.knows(1, 0, 1));
  EXPECT_TRUE(clocks.knows(1, 2, 2));
  EXPECT_TRUE(clocks.knows(1, first));
  EXPECT_TRUE(clocks.knows(1, second));
}

TEST(LaneClocks, AnIncrementIsKnownFromTheFirstWaitThatNeedsIt) {
  const LaneTable lanes(schedule(), 1);
  LaneClocks clocks(schedule(), lanes, 1);
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  const Increment second = clocks.raise(0, 2, {1, 0, Event::kWriteVisible});
  clocks.pass(2, 0, 1, {0, 1}, 0);
  EXPECT_FALSE(clocks.knows(2, second));
  clocks.pass(2, 1, 1, {0, 2}, 0);
  EXPECT_TRUE(clocks.knows(2, second));
}

TEST(LaneClocks, InTheNextRunAWaitCountsFromAllIncrementsOfTheRunBefore) {
  const LaneTable lanes(schedule(), 2);
  LaneClocks clocks(schedule(), lanes, 2);
  // With two runs every rank has a lane of its host: rank 0 the lanes 0, 1 and 2, rank 1 the lanes 3 and 4.
  EXPECT_EQ(lanes.number(1, 0), 3);
  EXPECT_EQ(lanes.host(0), 2);
  for (int i = 1; i <= 3; ++i) clocks.raise(0, i, {1, 0, Event::kWriteVisible});
  clocks.pass(3, lanes.moment(3, 1, 0), 1, {0, 1}, 1);
  EXPECT_TRUE(clocks.knows(3, 0, 2));
  EXPECT_FALSE(clocks.knows(3, 0, 3));
}

TEST(LaneClocks, WhatWasPublishedStaysAsItWasWhenItsLaneLearnsMore) {
  const LaneTable lanes(schedule(), 1);
  LaneClocks clocks(schedule(), lanes, 1);
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  clocks.learn(0, 1, 1);  // after the increment
  clocks.pass(2, 0, 1, {0, 1}, 0);
  EXPECT_TRUE(clocks.knows(0, 1, 0));
  EXPECT_FALSE(clocks.knows(2, 1, 0));
}

}  // namespace
}  // namespace meshmul::verification
