#include "schedule/effects.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Region kOwn{0, 0, Box{{0, 2}}};
const Region kOther{0, 1, Box{{0, 2}}};
const Region kPeer{3, 1, Box{{0, 2}}};
const Region kEmpty{0, 1, Box{{2, 2}}};

TEST(Effects, PutReadsItsOwnAndWritesAPeerAsynchronously) {
  const Effects effects = effects_of(Put{kPeer, kOwn, 5, 6}, 0);
  EXPECT_TRUE(effects.asynchronous);
  EXPECT_THAT(effects.reads, ElementsAre(kOwn));
  EXPECT_THAT(effects.writes, ElementsAre(kPeer));
  EXPECT_THAT(effects.raises, ElementsAre(Raise{0, 6, Event::kReadDone}, Raise{3, 5, Event::kWriteVisible}));
}

TEST(Effects, GetReadsAPeerAndRaisesTakenThere) {
  const Effects effects = effects_of(Get{kOwn, kPeer, 5, 6}, 0);
  EXPECT_TRUE(effects.asynchronous);
  EXPECT_THAT(effects.reads, ElementsAre(kPeer));
  EXPECT_THAT(effects.writes, ElementsAre(kOwn));
  EXPECT_THAT(effects.raises, ElementsAre(Raise{3, 6, Event::kReadDone}, Raise{0, 5, Event::kWriteVisible}));
}

TEST(Effects, SignalAndWaitTouchNoMemory) {
  EXPECT_THAT(effects_of(Signal{2, 1}, 0).raises, ElementsAre(Raise{2, 1, Event::kWriteVisible}));
  const Effects wait = effects_of(Wait{1, 7}, 0);
  EXPECT_EQ(wait.wait, (Wait{1, 7}));
  EXPECT_THAT(wait.raises, IsEmpty());
}

TEST(Effects, ReduceAndAccumulateReadTheirDestination) {
  EXPECT_THAT(effects_of(Reduce{kOwn, kOther, {}, std::nullopt}, 0).reads, ElementsAre(kOther, kOwn));
  EXPECT_THAT(effects_of(Gemm{kOwn, kOther, kPeer, "i,i->i", true, std::nullopt}, 0).reads,
              ElementsAre(kOther, kPeer, kOwn));
  EXPECT_THAT(effects_of(Gemm{kOwn, kOther, kPeer, "i,i->i", false, std::nullopt}, 0).reads,
              ElementsAre(kOther, kPeer));
}

TEST(Effects, ArrivedOfALocalOpIsRaisedWhereItsDestinationLies) {
  EXPECT_THAT(effects_of(Copy{kPeer, kOwn, {}, 4}, 0).raises, ElementsAre(Raise{3, 4, Event::kWriteVisible}));
  EXPECT_THAT(effects_of(Map{kOwn, MapFunction::kAdd, {kOther, kPeer}, 4}, 0).raises,
              ElementsAre(Raise{0, 4, Event::kWriteVisible}));
}

TEST(Effects, AnEmptyBoxIsNotTouchedButItsSignalsRise) {
  const Effects effects = effects_of(Put{Region{3, 1, Box{{0, 0}}}, kEmpty, 5, std::nullopt}, 0);
  EXPECT_THAT(effects.reads, IsEmpty());
  EXPECT_THAT(effects.writes, IsEmpty());
  EXPECT_THAT(effects.raises, ElementsAre(Raise{3, 5, Event::kWriteVisible}));
}

}  // namespace
}  // namespace meshmul
