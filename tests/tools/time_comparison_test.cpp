#include "time_comparison.hpp"

#include <gtest/gtest.h>

namespace meshmul::cli {
namespace {

Schedule two_copies_and_a_wait() {
  return parse_schedule(
      "meshmul schedule 1\nmesh X=1\nrequires nothing\nbuffer a f32 [2] symmetric\nbuffer b f32 [2] symmetric\n"
      "signal done\nrank 0\n  lane compute\n    copy b[0:1] a[0:1] arrived done\n    copy b[1:2] a[1:2]\n"
      "    wait done >= 1\n");
}

Timeline timeline_of(const Schedule& schedule, std::int64_t copy_ps) {
  Timeline timeline = empty_timeline(schedule);
  for (int i = 0; i < 2; ++i) {
    timeline.spans[static_cast<std::size_t>(i)].start_ps = i * copy_ps;
    timeline.spans[static_cast<std::size_t>(i)].end_ps = (i + 1) * copy_ps;
  }
  timeline.spans[2].start_ps = timeline.spans[2].end_ps = timeline.makespan_ps = 2 * copy_ps;
  return timeline;
}

TEST(TimeComparison, AddsUpEachKind) {
  const Schedule schedule = two_copies_and_a_wait();
  const TimeComparison times =
      compare_times(schedule, timeline_of(schedule, 1'000'000), timeline_of(schedule, 3'000'000));
  EXPECT_EQ(as_text(times),
            "\ntimeline, kinds summed over all ranks:\n"
            "                 predicted  measured  times as long\n"
            "  all     3 ops  2 us       6 us      3\n"
            "  memory  2 ops  2 us       6 us      3\n"
            "  wait    1 ops  0 s        0 s\n");
}

TEST(TimeComparison, HasARowForEachOp) {
  const Schedule schedule = two_copies_and_a_wait();
  const Json json =
      as_json(compare_times(schedule, timeline_of(schedule, 1'000'000), timeline_of(schedule, 3'000'000)));
  ASSERT_EQ(json["ops"].size(), 3U);
  EXPECT_EQ(json["ops"][1]["op"], "copy b[1:2] a[1:2]");
  EXPECT_EQ(json["ops"][1]["lane"], "compute");
  EXPECT_DOUBLE_EQ(json["ops"][1]["predicted"]["start_seconds"], 1e-6);
  EXPECT_DOUBLE_EQ(json["ops"][1]["measured"]["end_seconds"], 6e-6);
  EXPECT_DOUBLE_EQ(json["measured_seconds"], 6e-6);
}

}  // namespace
}  // namespace meshmul::cli
