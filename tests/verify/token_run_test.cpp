#include "verify/token_run.hpp"

#include <gmock/gmock.h>

#include "schedule/effects.hpp"
#include "verify/schedules.hpp"

namespace meshmul::verification {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TokenRun, EveryOpHappensOnceAndEveryWaitAfterItsIncrements) {
  const Schedule schedule = testing::read_schedule("ring_reduce_scatter");
  const TokenRun run = run_tokens(schedule);
  EXPECT_THAT(run.stuck, IsEmpty());
  EXPECT_THAT(run.counters, ElementsAre(2, 2, 2));
  std::vector<std::uint64_t> risen(3);
  std::vector<int> next(3);
  for (const OpPlace& place : run.steps) {
    const auto rank = static_cast<std::size_t>(place.rank);
    EXPECT_EQ(place.op, next[rank]++) << "in lane order";
    const Op& op = schedule.ranks[rank].lanes[0].ops[static_cast<std::size_t>(place.op)];
    if (const auto* wait = std::get_if<Wait>(&op)) {
      EXPECT_GE(risen[rank], wait->threshold);
    }
    for (const Raise& raise : effects_of(op, place.rank).raises) ++risen[static_cast<std::size_t>(raise.rank)];
  }
  EXPECT_THAT(next, ElementsAre(6, 6, 6));
}

TEST(TokenRun, AStuckLaneStandsAtItsWait) {
  Schedule schedule = testing::read_schedule("barrier_by_pairs");
  std::get<Wait>(schedule.ranks[1].lanes[0].ops[3]).threshold = 5;
  EXPECT_THAT(run_tokens(schedule).stuck, ElementsAre(OpPlace{0, 0, 6}, OpPlace{1, 0, 3}, OpPlace{2, 0, 7}));
}

}  // namespace
}  // namespace meshmul::verification
