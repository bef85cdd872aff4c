#include "draw/scope.hpp"

#include <gmock/gmock.h>

#include "draw/two_ranks.hpp"
#include "meshmul/error.hpp"
#include "support/error_of.hpp"

namespace meshmul::drawing {
namespace {

using meshmul::testing::message_of;
using meshmul::testing::two_ranks;
using meshmul::testing::two_ranks_timeline;
using ::testing::ElementsAre;

std::string refusal(const Drawing& drawing) {
  return message_of([&] { check(drawing); });
}

TEST(Scope, RefusesToDrawNothing) { EXPECT_EQ(refusal({}), "there is nothing to draw: expected a plan or a schedule"); }

TEST(Scope, RefusesATimelineWithoutItsSchedule) {
  const Plan plan;
  const Timeline timeline = two_ranks_timeline();
  EXPECT_EQ(refusal({.plan = &plan, .predicted = &timeline}),
            "a timeline is drawn with its schedule, and none is given");
}

TEST(Scope, RefusesATimelineOfAnotherSchedule) {
  const Schedule schedule = two_ranks();
  Timeline timeline = two_ranks_timeline();
  timeline.measured = true;
  timeline.spans.pop_back();
  EXPECT_EQ(refusal({.schedule = &schedule, .measured = &timeline}),
            "the measured timeline has 6 spans, its schedule 7 ops; expected one span an op");
}

TEST(Scope, RefusesRanksThatThereAreNot) {
  const Schedule schedule = two_ranks();
  EXPECT_EQ(refusal({.schedule = &schedule, .ranks = RankRange{1, 2}}),
            "ranks 1 to 2 were asked for, and there are ranks 0 to 1");
}

TEST(Scope, DrawsTheLanesOfItsRanks) {
  const Schedule schedule = two_ranks();
  const Drawing drawing{.schedule = &schedule, .ranks = RankRange{1, 1}};
  const std::vector<DrawnLane> lanes = drawn_lanes(drawing);
  ASSERT_EQ(lanes.size(), 1U);
  EXPECT_EQ(lanes[0].rank, 1);
  EXPECT_EQ(lanes[0].first_span, 4U);
  EXPECT_THAT(drawn_spans(drawing), ElementsAre(false, false, false, false, true, true, true));
}

TEST(Scope, LinesAreThoseOfTheTextThatWasRead) {
  EXPECT_THAT(lines(two_ranks()), ElementsAre(16, 17, 18, 21, 24, 25, 26));
}

TEST(Scope, LinesOfABuiltScheduleAreThoseOfItsPrintedForm) {
  Schedule schedule = two_ranks();
  for (RankProgram& rank : schedule.ranks)
    for (Lane& lane : rank.lanes) lane.lines.clear();
  EXPECT_THAT(lines(schedule), ElementsAre(16, 17, 18, 20, 23, 24, 25));
}

TEST(Scope, NamesARankWithItsCoordinates) {
  EXPECT_EQ(rank_title(Mesh{{"X", 2}, {"Y", 3}}, 5), "rank 5 (X=1, Y=2)");
  EXPECT_EQ(rank_title(Mesh{}, 0), "rank 0");
}

}  // namespace
}  // namespace meshmul::drawing
