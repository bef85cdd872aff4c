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
  const LaneTable lanes(schedule());
  LaneClocks clocks(schedule(), lanes, run_tokens(schedule()), true);
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  clocks.raise(0, 2, {1, 0, Event::kWriteVisible});
  EXPECT_FALSE(clocks.knows(2, 0, 0));
  clocks.pass(2, 0, 1, {0, 1});
  EXPECT_TRUE(clocks.knows(2, 0, 0));
  EXPECT_FALSE(clocks.knows(2, 0, 1)) << "the second increment has happened, but this wait does not tell";
  clocks.pass(2, 1, 1, {0, 2});
  EXPECT_TRUE(clocks.knows(2, 0, 1));
  EXPECT_FALSE(clocks.knows(0, 2, 0)) << "knowledge goes one way";
}

TEST(LaneClocks, KnowledgeIsPassedOn) {
  const LaneTable lanes(schedule());
  LaneClocks clocks(schedule(), lanes, run_tokens(schedule()), true);
  const Increment first = clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  const Increment second = clocks.raise(0, 2, {1, 0, Event::kWriteVisible});
  clocks.pass(2, 0, 1, {0, 1});
  clocks.pass(2, 1, 1, {0, 2});
  EXPECT_TRUE(clocks.knows(2, first));
  EXPECT_FALSE(clocks.knows(1, first));
  clocks.raise(2, 3, {0, 1, Event::kWriteVisible});
  clocks.pass(1, 0, 0, {1, 1});
  EXPECT_TRUE(clocks.knows(1, 0, 1));
  EXPECT_TRUE(clocks.knows(1, 2, 2));
  EXPECT_TRUE(clocks.knows(1, first));
  EXPECT_TRUE(clocks.knows(1, second));
}

TEST(LaneClocks, AnIncrementIsKnownFromTheFirstWaitThatNeedsIt) {
  const LaneTable lanes(schedule());
  LaneClocks clocks(schedule(), lanes, run_tokens(schedule()), true);
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  const Increment second = clocks.raise(0, 2, {1, 0, Event::kWriteVisible});
  clocks.pass(2, 0, 1, {0, 1});
  EXPECT_FALSE(clocks.knows(2, second));
  clocks.pass(2, 1, 1, {0, 2});
  EXPECT_TRUE(clocks.knows(2, second));
}

TEST(LaneClocks, WhatWasPublishedStaysAsItWasWhenItsLaneLearnsMore) {
  const LaneTable lanes(schedule());
  LaneClocks clocks(schedule(), lanes, run_tokens(schedule()), true);
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  clocks.raise(2, 0, {0, 1, Event::kWriteVisible});
  clocks.pass(2, 0, 1, {0, 1});
  clocks.pass(1, 0, 0, {1, 1});
  EXPECT_TRUE(clocks.knows(2, 0, 0));
  EXPECT_FALSE(clocks.knows(1, 0, 0));
}

TEST(LaneClocks, ALaneHearsOnceThatAnotherHasBegunItsRun) {
  const LaneTable lanes(schedule());
  LaneClocks clocks(schedule(), lanes, run_tokens(schedule()), true);
  clocks.raise(0, 0, {1, 0, Event::kWriteVisible});
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  clocks.pass(2, 0, 1, {0, 1});
  clocks.pass(2, 1, 1, {0, 2});
  clocks.raise(2, 3, {0, 1, Event::kWriteVisible});
  clocks.pass(1, 0, 0, {1, 1});
  ASSERT_EQ(clocks.heard(2).size(), 1U);
  EXPECT_EQ(clocks.heard(2)[0].moment, 0);
  EXPECT_EQ(clocks.heard(2)[0].rank, 0) << "though none of its ops is over";
  ASSERT_EQ(clocks.heard(1).size(), 1U) << "of rank 1; to its own rank it belongs";
  EXPECT_EQ(clocks.heard(1)[0].rank, 1);
  EXPECT_TRUE(clocks.heard(0).empty());
  EXPECT_TRUE(clocks.late_words().empty()) << "all increments are awaited in their run";
}

TEST(LaneClocks, AWordThatIsRaisedFurtherThanAwaitedIsLate) {
  Schedule late = schedule();
  late.ranks[1].lanes[0].ops[1] = Wait{0, 0};
  const LaneTable lanes(late);
  LaneClocks clocks(late, lanes, run_tokens(late), true);
  clocks.raise(0, 1, {1, 0, Event::kWriteVisible});
  const Increment second = clocks.raise(0, 2, {1, 0, Event::kWriteVisible});
  clocks.pass(2, 0, 1, {0, 1});
  clocks.pass(2, 1, 1, {0, 0});
  EXPECT_FALSE(clocks.knows(2, second));
  const std::vector<LateWord> words = clocks.late_words();
  ASSERT_EQ(words.size(), 1U);
  EXPECT_EQ(words[0].word, second.word);
  EXPECT_EQ(words[0].counts[0], 3) << "the lane had begun, and its two ops were over";
}

}  // namespace
}  // namespace meshmul::verification
