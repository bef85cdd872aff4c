#include "record.hpp"

#include <algorithm>

#include "critical_path.hpp"

namespace meshmul::simulation {
namespace {

// Only links that were used stand in the timeline. Returns the numbers that they have there.
std::vector<std::int32_t> append_links(const Network& network, const Trace& trace, Timeline& timeline) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(network.num_links()), -1);
  for (const Use& use : trace.uses) numbers[static_cast<std::size_t>(use.link)] = 0;
  for (std::int32_t link = 0; link < network.num_links(); ++link) {
    std::int32_t& number = numbers[static_cast<std::size_t>(link)];
    if (number < 0) continue;
    number = static_cast<std::int32_t>(timeline.links.size());
    timeline.links.push_back(network.link(link));
  }
  return numbers;
}

}  // namespace

Timeline record(const Schedule& schedule, const Network& network, const FlatProgram& program, const Trace& trace) {
  Timeline timeline = empty_timeline(schedule);
  for (std::size_t number = 0; number < timeline.spans.size(); ++number) {
    timeline.spans[number].start_ps = trace.start_ps[number];
    timeline.spans[number].end_ps = trace.end_ps[number];
  }
  const std::vector<std::int32_t> number_of = append_links(network, trace, timeline);
  timeline.link_uses.reserve(trace.uses.size());
  for (const Use& use : trace.uses)
    timeline.link_uses.push_back({number_of[static_cast<std::size_t>(use.link)],
                                  static_cast<std::int32_t>(program.transfers[use.transfer].op), use.start_ps,
                                  use.end_ps});
  for (const Span& span : timeline.spans) timeline.makespan_ps = std::max(timeline.makespan_ps, span.end_ps);
  timeline.critical_path = critical_path(program, trace);
  for (PathStep& step : timeline.critical_path)
    if (step.link >= 0) step.link = number_of[static_cast<std::size_t>(step.link)];
  return timeline;
}

}  // namespace meshmul::simulation
