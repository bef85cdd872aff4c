#include "host_timeline.hpp"

#include <algorithm>

namespace meshmul::simulation {
namespace {

// From the op that ends last back to the start: each op from when its rank began with it, and before that the time in
// which the rank had not noticed yet that it could.
std::vector<PathStep> critical_path(const HostTrace& trace) {
  std::vector<PathStep> steps;
  const auto last = std::max_element(trace.end_ps.begin(), trace.end_ps.end());
  if (last == trace.end_ps.end()) return steps;
  auto op = static_cast<std::uint32_t>(last - trace.end_ps.begin());
  while (op != kNobody) {
    const auto add = [&](Blame blame, std::int64_t start_ps, std::int64_t end_ps) {
      if (start_ps < end_ps) steps.push_back({blame, static_cast<std::int32_t>(op), -1, start_ps, end_ps});
    };
    const std::uint32_t before = trace.before[op];
    add(Blame::kCompute, trace.start_ps[op], trace.end_ps[op]);
    add(Blame::kLatency, before == kNobody ? 0 : trace.end_ps[before], trace.start_ps[op]);
    op = before;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace

Timeline host_timeline(const Schedule& schedule, const HostProgram& program, const HostTrace& trace) {
  Timeline timeline = empty_timeline(schedule);
  for (std::size_t op = 0; op < timeline.spans.size(); ++op) {
    const bool is_wait = program.ops[op].awaited != kNobody;
    timeline.spans[op].start_ps = is_wait ? trace.arrived_ps[op] : trace.start_ps[op];
    timeline.spans[op].end_ps = trace.end_ps[op];
    timeline.makespan_ps = std::max(timeline.makespan_ps, trace.end_ps[op]);
  }
  timeline.critical_path = critical_path(trace);
  return timeline;
}

}  // namespace meshmul::simulation
