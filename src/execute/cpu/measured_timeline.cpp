#include "measured_timeline.hpp"

#include <algorithm>
#include <limits>

namespace meshmul {

Timeline measured_timeline(const Schedule& schedule, const std::function<std::span<const OpTimes>(int)>& times_of) {
  constexpr std::int64_t kPicosecondsPerNanosecond = 1000;
  Timeline timeline = empty_timeline(schedule);
  timeline.measured = true;
  std::int64_t start = std::numeric_limits<std::int64_t>::max();
  int rank = -1;
  std::size_t op = 0;
  for (Span& span : timeline.spans) {
    if (span.place.rank != rank) op = 0;
    rank = span.place.rank;
    const OpTimes& times = times_of(rank)[op++];
    span.start_ps = times.began_nanoseconds;
    span.end_ps = times.ended_nanoseconds;
    start = std::min(start, span.start_ps);
  }
  for (Span& span : timeline.spans) {
    span.start_ps = (span.start_ps - start) * kPicosecondsPerNanosecond;
    span.end_ps = (span.end_ps - start) * kPicosecondsPerNanosecond;
    timeline.makespan_ps = std::max(timeline.makespan_ps, span.end_ps);
  }
  return timeline;
}

}  // namespace meshmul
