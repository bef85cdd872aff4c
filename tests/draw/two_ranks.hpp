#pragma once
// A schedule small enough to know by heart: rank 0 sends its half of A to rank 1, which says when it is ready for it.

#include "meshmul/schedule.hpp"
#include "meshmul/timeline.hpp"

namespace meshmul::testing {

inline Schedule two_ranks() {
  return parse_schedule(R"(meshmul schedule 1
mesh X=2
requires nothing
statement f32 A[I=4_X] -> f32 A[I=4]
buffer a f32 [2] symmetric
buffer whole f32 [4] symmetric
signal got
signal sent
signal ready
input A rank 0 [0:2] at a[0:2]
input A rank 1 [2:4] at a[0:2]
output A rank 0 [0:4] at whole[0:4]
output A rank 1 [0:4] at whole[0:4]
rank 0
  lane copy0
    wait ready >= 1
    put whole@1[0:2] a[0:2] arrived got sent sent
    wait sent >= 1
# a comment moves the lines below it
  lane compute
    copy whole[0:2] a[0:2]
rank 1
  lane compute
    copy whole[2:4] a[0:2]
    signal 0 ready
    wait got >= 1
)");
}

/// A run of it. Some times are no whole nanoseconds.
inline Timeline two_ranks_timeline() {
  Timeline timeline;
  timeline.lanes = {{"copy0", "compute"}, {"compute"}};
  timeline.spans = {{{0, 0, 0}, SpanKind::kWait, 0, 0, 3'500},     {{0, 0, 1}, SpanKind::kTransfer, 0, 3'500, 9'999},
                    {{0, 0, 2}, SpanKind::kWait, 0, 3'500, 5'200}, {{0, 1, 0}, SpanKind::kMemory, 0, 0, 2'000},
                    {{1, 0, 0}, SpanKind::kMemory, 0, 0, 2'000},   {{1, 0, 1}, SpanKind::kSignal, 0, 2'000, 3'500},
                    {{1, 0, 2}, SpanKind::kWait, 0, 2'000, 9'999}};
  timeline.links = {{"0 -> 1", 0, 1}};
  timeline.link_uses = {{0, 1, 4'000, 9'000}};
  timeline.makespan_ps = 9'999;
  timeline.critical_path = {
      {Blame::kCompute, 4, -1, 0, 2'000}, {Blame::kCredit, 5, -1, 2'000, 3'500}, {Blame::kLink, 1, 0, 3'500, 9'999}};
  return timeline;
}

}  // namespace meshmul::testing
