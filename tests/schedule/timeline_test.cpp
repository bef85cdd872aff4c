#include "meshmul/timeline.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;

// Rank 0 computes from 0 to 10 and from 5 to 20 on two lanes, and puts from 15 to 30; rank 1 waits until 30, then copies.
Timeline example() {
  Timeline timeline;
  timeline.measured = true;
  timeline.lanes = {{"compute", "copy0", "serve"}, {"compute"}};
  timeline.spans = {{{0, 0, 0}, SpanKind::kProduct, 4, 0, 10},   {{0, 1, 0}, SpanKind::kTransfer, 6, 15, 30},
                    {{0, 1, 1}, SpanKind::kTransfer, 7, 15, 25}, {{0, 1, 2}, SpanKind::kSignal, 8, 15, 60},
                    {{0, 2, 0}, SpanKind::kMemory, 10, 5, 20},   {{1, 0, 0}, SpanKind::kWait, 13, 0, 30},
                    {{1, 0, 1}, SpanKind::kMemory, 14, 30, 40}};
  timeline.links = {{"0 -> 1", 0, 1}, {"1 -> 0", 1, 0}};
  timeline.link_uses = {{0, 1, 15, 20}, {0, 2, 20, 25}};
  timeline.makespan_ps = 60;
  timeline.critical_path = {
      {Blame::kCompute, 0, -1, 0, 10}, {Blame::kLink, 1, 0, 10, 30}, {Blame::kCompute, 6, -1, 30, 40}};
  return timeline;
}

TEST(Timeline, BlamesAddUp) { EXPECT_THAT(blame_ps(example()), ElementsAre(20, 20, 0, 0)); }

TEST(Timeline, LanesOfOneNameAreCountedTogether) {
  EXPECT_THAT(lane_usage(example()), ElementsAre(LaneUsage{"compute", 2, 10, 10, 0}, LaneUsage{"copy0", 1, 15, 15, 0},
                                                 LaneUsage{"serve", 1, 15, 15, 0}));
}

TEST(Timeline, LanesForOnePeerEachAreCountedTogetherToo) {
  Timeline timeline = example();
  timeline.lanes = {{"relay.copy0.to1", "copy0", "relay.copy0.to12"}, {"relay.copy0.to"}};
  EXPECT_THAT(lane_usage(timeline),
              ElementsAre(LaneUsage{"relay.copy0", 2, 12, 15, 0}, LaneUsage{"copy0", 1, 15, 15, 0},
                          LaneUsage{"relay.copy0.to", 1, 10, 10, 1}));
}

TEST(Timeline, LinksAreBusyAsLongAsTheyAreTaken) { EXPECT_THAT(link_busy_ps(example()), ElementsAre(10, 0)); }

TEST(Timeline, CommunicationIsExposedWhileNothingIsComputed) {
  EXPECT_THAT(rank_usage(example()), ElementsAre(RankUsage{60, 20, 10}, RankUsage{40, 10, 30}));
}

TEST(Timeline, KindsAndBlamesHaveNames) {
  EXPECT_EQ(name(SpanKind::kWait), "wait");
  EXPECT_EQ(name(Blame::kCredit), "credit");
}

TEST(Timeline, AnEmptyOneHasNothing) {
  EXPECT_TRUE(lane_usage({}).empty());
  EXPECT_TRUE(rank_usage({}).empty());
  EXPECT_TRUE(link_busy_ps({}).empty());
}

TEST(Timeline, OfAScheduleHasASpanForEachOpBeforeItRuns) {
  const Schedule schedule = parse_schedule(
      "meshmul schedule 1\nmesh X=2\nrequires nothing\nbuffer a f32 [2] symmetric\nbuffer b f32 [2] symmetric\n"
      "signal come\nrank 0\n  lane compute\n    copy b[0:2] a[0:2]\n  lane copy0\n    put b@1[0:2] a[0:2] arrived "
      "come\n"
      "rank 1\n  lane compute\n    wait come >= 1\n");
  const Timeline timeline = empty_timeline(schedule);
  EXPECT_EQ(timeline.lanes, (std::vector<std::vector<std::string>>{{"compute", "copy0"}, {"compute"}}));
  EXPECT_THAT(timeline.spans,
              ElementsAre(Span{{0, 0, 0}, SpanKind::kMemory, 9, 0, 0}, Span{{0, 1, 0}, SpanKind::kTransfer, 11, 0, 0},
                          Span{{1, 0, 0}, SpanKind::kWait, 14, 0, 0}));
  EXPECT_EQ(timeline.makespan_ps, 0);
}

}  // namespace
}  // namespace meshmul
