// The spans of a schedule, and what a timeline adds up to: blames, and how busy lanes, links and ranks are.

#include "meshmul/timeline.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "op_count.hpp"

namespace meshmul {
namespace {

struct Period {
  std::int64_t start_ps, end_ps;
};

// The time in which at least one of `periods` runs, as periods that follow one another.
std::vector<Period> joined(std::vector<Period> periods) {
  std::sort(periods.begin(), periods.end(), [](const Period& a, const Period& b) { return a.start_ps < b.start_ps; });
  std::vector<Period> joined;
  for (const Period& period : periods) {
    if (joined.empty() || period.start_ps > joined.back().end_ps)
      joined.push_back(period);
    else
      joined.back().end_ps = std::max(joined.back().end_ps, period.end_ps);
  }
  return joined;
}

std::int64_t length(const std::vector<Period>& joined) {
  std::int64_t sum = 0;
  for (const Period& period : joined) sum += period.end_ps - period.start_ps;
  return sum;
}

bool computes(const Span& span) { return span.kind == SpanKind::kProduct || span.kind == SpanKind::kMemory; }

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

// `relay.copy0` of `relay.copy0.to3`: every rank has relays of its own peers.
std::string without_peer(const std::string& lane) {
  const std::size_t digits = lane.find_last_not_of("0123456789") + 1;
  constexpr std::string_view kTo = ".to";
  const bool names_peer = digits < lane.size() && std::string_view(lane).substr(0, digits).ends_with(kTo);
  return names_peer ? lane.substr(0, digits - kTo.size()) : lane;
}

void append_spans(const Lane& lane, OpPlace place, std::vector<Span>& spans) {
  const bool was_read = lane.lines.size() == lane.ops.size();
  for (const Op& op : lane.ops) {
    const std::int64_t line = was_read ? lane.lines[static_cast<std::size_t>(place.op)] : 0;
    spans.push_back({place, kind_of(op), line, 0, 0});
    ++place.op;
  }
}

}  // namespace

Timeline empty_timeline(const Schedule& schedule) {
  Timeline timeline;
  timeline.spans.reserve(static_cast<std::size_t>(num_ops(schedule)));
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    timeline.lanes.emplace_back();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      timeline.lanes.back().push_back(lanes[lane].name);
      append_spans(lanes[lane], {rank, static_cast<int>(lane), 0}, timeline.spans);
    }
  }
  return timeline;
}

std::string_view name(SpanKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"product", "memory", "transfer", "signal", "wait"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name(Blame blame) {
  constexpr std::array<std::string_view, kNumBlames> kNames{"compute", "link", "latency", "credit"};
  return kNames[static_cast<std::size_t>(blame)];
}

std::array<std::int64_t, kNumBlames> blame_ps(const Timeline& timeline) {
  std::array<std::int64_t, kNumBlames> sums{};
  for (const PathStep& step : timeline.critical_path)
    sums[static_cast<std::size_t>(step.blame)] += step.end_ps - step.start_ps;
  return sums;
}

std::vector<LaneUsage> lane_usage(const Timeline& timeline) {
  std::map<std::pair<int, int>, std::vector<Period>> busy;  // by rank and lane
  for (const Span& span : timeline.spans)
    if (span.kind != SpanKind::kWait && span.kind != SpanKind::kSignal)
      busy[{span.place.rank, span.place.lane}].push_back({span.start_ps, span.end_ps});
  std::vector<LaneUsage> usage;
  for (int rank = 0; rank < static_cast<int>(timeline.lanes.size()); ++rank) {
    const std::vector<std::string>& names = timeline.lanes[static_cast<std::size_t>(rank)];
    for (int lane = 0; lane < static_cast<int>(names.size()); ++lane) {
      const std::string name = without_peer(names[static_cast<std::size_t>(lane)]);
      auto entry = std::find_if(usage.begin(), usage.end(), [&](const LaneUsage& known) { return known.lane == name; });
      if (entry == usage.end()) entry = usage.insert(usage.end(), {name, 0, 0, -1, 0});
      const std::int64_t busy_ps = length(joined(std::move(busy[{rank, lane}])));
      ++entry->num_lanes;
      entry->mean_busy_ps += busy_ps;
      if (busy_ps > entry->most_busy_ps) {
        entry->most_busy_ps = busy_ps;
        entry->busiest_rank = rank;
      }
    }
  }
  for (LaneUsage& lane : usage) lane.mean_busy_ps /= lane.num_lanes;
  return usage;
}

std::vector<std::int64_t> link_busy_ps(const Timeline& timeline) {
  std::vector<std::int64_t> busy(timeline.links.size());
  for (const LinkUse& use : timeline.link_uses) busy[static_cast<std::size_t>(use.link)] += use.end_ps - use.start_ps;
  return busy;
}

std::vector<RankUsage> rank_usage(const Timeline& timeline) {
  std::vector<RankUsage> usage(timeline.lanes.size());
  std::vector<std::vector<Period>> computing(usage.size());
  std::vector<std::vector<Period>> active(usage.size());  // anything at all
  for (const Span& span : timeline.spans) {
    const auto rank = static_cast<std::size_t>(span.place.rank);
    usage[rank].end_ps = std::max(usage[rank].end_ps, span.end_ps);
    if (span.kind != SpanKind::kSignal) active[rank].push_back({span.start_ps, span.end_ps});
    if (computes(span)) computing[rank].push_back({span.start_ps, span.end_ps});
  }
  for (std::size_t rank = 0; rank < usage.size(); ++rank) {
    usage[rank].compute_ps = length(joined(std::move(computing[rank])));
    usage[rank].exposed_ps = length(joined(std::move(active[rank]))) - usage[rank].compute_ps;
  }
  return usage;
}

}  // namespace meshmul
