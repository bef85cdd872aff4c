// What every executor records of a run.

#include <gmock/gmock.h>

#include <map>

#include "conformance_cases.hpp"
#include "schedule/effects.hpp"

namespace meshmul {
namespace {

class RecordedTimeline : public ::testing::TestWithParam<const Executor*> {
 protected:
  std::unique_ptr<Session> open(const Schedule& schedule, bool record = true) const {
    ExecuteOptions options;
    options.record = record;
    options.kernels = MESHMUL_TEST_KERNELS;
    return GetParam()->open(schedule, options);
  }
};

const Op& op_at(const Schedule& schedule, const OpPlace& place) {
  return schedule.ranks[static_cast<std::size_t>(place.rank)]
      .lanes[static_cast<std::size_t>(place.lane)]
      .ops[static_cast<std::size_t>(place.op)];
}

TEST_P(RecordedTimeline, HasOneSpanAnOpInTheOrderOfTheSchedule) {
  const Schedule schedule = schedule_of(puts_around_a_ring(4));
  const auto session = open(schedule);
  session->run();
  const Timeline timeline = session->timeline().value();
  EXPECT_TRUE(timeline.measured);
  EXPECT_GT(timeline.makespan_ps, 0);
  Timeline empty = empty_timeline(schedule);
  ASSERT_EQ(timeline.lanes, empty.lanes);
  ASSERT_EQ(timeline.spans.size(), empty.spans.size());
  std::int64_t first = timeline.makespan_ps;
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    EXPECT_EQ(span.place, empty.spans[i].place);
    EXPECT_EQ(span.kind, empty.spans[i].kind);
    EXPECT_LE(span.start_ps, span.end_ps);
    EXPECT_LE(span.end_ps, timeline.makespan_ps);
    first = std::min(first, span.start_ps);
  }
  EXPECT_EQ(first, 0);
}

TEST_P(RecordedTimeline, KeepsTheOrderOfLanes) {
  const Schedule schedule = schedule_of(products_read_peers_in_place(3));
  const auto session = open(schedule);
  for (int run = 0; run < 3; ++run) {
    session->run();
    const Timeline timeline = session->timeline().value();
    for (std::size_t i = 1; i < timeline.spans.size(); ++i) {
      const Span& before = timeline.spans[i - 1];
      const Span& span = timeline.spans[i];
      if (span.place.op == 0) continue;
      // An op starts after the one in front of it did; after its end unless that is a transfer, which runs on.
      EXPECT_GE(span.start_ps, before.start_ps) << "span " << i;
      if (before.kind != SpanKind::kTransfer) {
        EXPECT_GE(span.start_ps, before.end_ps) << "span " << i;
      }
    }
  }
}

TEST_P(RecordedTimeline, LetsNoWaitPassBeforeTheOpThatItWaitsForStarts) {
  const Schedule schedule = schedule_of(barriers_between_rounds(4));
  const auto session = open(schedule);
  session->run();
  const Timeline timeline = session->timeline().value();
  // By rank and signal: when the ops start that raise it, in the order of its one writer.
  std::map<std::pair<int, int>, std::vector<std::int64_t>> raised;
  for (const Span& span : timeline.spans)
    for (const Raise& raise : effects_of(op_at(schedule, span.place), span.place.rank).raises)
      raised[{raise.rank, raise.signal}].push_back(span.start_ps);
  int waits = 0;
  for (const Span& span : timeline.spans)
    if (const auto* wait = std::get_if<Wait>(&op_at(schedule, span.place)); wait != nullptr && wait->threshold > 0) {
      ++waits;
      EXPECT_GE(span.end_ps, raised.at({span.place.rank, wait->signal}).at(wait->threshold - 1));
    }
  EXPECT_GT(waits, 0);
}

TEST_P(RecordedTimeline, IsThereOnlyIfItWasAskedForAndAfterARun) {
  const Schedule schedule = schedule_of(gets_from_all(2));
  const auto silent = open(schedule, false);
  silent->run();
  EXPECT_FALSE(silent->timeline());
  const auto session = open(schedule);
  EXPECT_FALSE(session->timeline());
  session->run();
  EXPECT_TRUE(session->timeline());
  session->reset();
  EXPECT_FALSE(session->timeline());
}

INSTANTIATE_TEST_SUITE_P(Executors, RecordedTimeline, ::testing::ValuesIn(executors()),
                         [](const auto& test) { return std::string(test.param->name()); });

}  // namespace
}  // namespace meshmul
