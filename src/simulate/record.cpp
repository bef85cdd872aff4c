#include "record.hpp"

#include <algorithm>

#include "critical_path.hpp"

namespace meshmul::simulation {
namespace {

SpanKind kind_of(const Op& op) {
  struct Visitor {
    SpanKind operator()(const Put&) const { return SpanKind::kTransfer; }
    SpanKind operator()(const Get&) const { return SpanKind::kTransfer; }
    SpanKind operator()(const Signal&) const { return SpanKind::kSignal; }
    SpanKind operator()(const Wait&) const { return SpanKind::kWait; }
    SpanKind operator()(const Copy&) const { return SpanKind::kMemory; }
    SpanKind operator()(const Reduce&) const { return SpanKind::kMemory; }
    SpanKind operator()(const Gemm&) const { return SpanKind::kProduct; }
    SpanKind operator()(const Map&) const { return SpanKind::kMemory; }
  };
  return std::visit(Visitor{}, op);
}

void append_lane(const Lane& lane, OpPlace place, const Trace& trace, Timeline& timeline) {
  const bool was_read = lane.lines.size() == lane.ops.size();
  for (const Op& op : lane.ops) {
    const std::size_t number = timeline.spans.size();
    const std::int64_t line = was_read ? lane.lines[static_cast<std::size_t>(place.op)] : 0;
    timeline.spans.push_back({place, kind_of(op), line, trace.start_ps[number], trace.end_ps[number]});
    ++place.op;
  }
}

void append_lanes(const Schedule& schedule, const Trace& trace, Timeline& timeline) {
  timeline.spans.reserve(trace.start_ps.size());
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    timeline.lanes.emplace_back();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      timeline.lanes.back().push_back(lanes[lane].name);
      append_lane(lanes[lane], {rank, static_cast<int>(lane), 0}, trace, timeline);
    }
  }
}

// Only links that were used have a name in the timeline. Returns the numbers that they have there.
std::vector<std::int32_t> append_links(const Network& network, const Trace& trace, Timeline& timeline) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(network.num_links()), -1);
  for (const Use& use : trace.uses) numbers[static_cast<std::size_t>(use.link)] = 0;
  for (std::int32_t link = 0; link < network.num_links(); ++link) {
    std::int32_t& number = numbers[static_cast<std::size_t>(link)];
    if (number < 0) continue;
    number = static_cast<std::int32_t>(timeline.links.size());
    timeline.links.push_back(network.link_name(link));
  }
  return numbers;
}

}  // namespace

Timeline record(const Schedule& schedule, const Network& network, const FlatProgram& program, const Trace& trace) {
  Timeline timeline;
  append_lanes(schedule, trace, timeline);
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
