// A timeline as a trace: which span goes on which row, and which spans an arrow joins.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>

#include "draw/arrows.hpp"
#include "draw/op_facts.hpp"
#include "draw/scope.hpp"
#include "draw/slots.hpp"
#include "draw/trace_events.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using namespace std::string_view_literals;
using drawing::SliceArgs;
using drawing::TraceEvents;
using drawing::Track;

constexpr std::int64_t kPsPerNs = 1000;

/// Writes timelines of one schedule one after the other; every process and thread gets the next free id.
class TraceMaker {
 public:
  TraceMaker(const Drawing& drawing, TraceEvents& events)
      : drawing_(drawing),
        schedule_(*drawing.schedule),
        lanes_(drawing::drawn_lanes(drawing)),
        drawn_(drawing::drawn_spans(drawing)),
        lines_(drawing::lines(schedule_)),
        arrows_(drawing::arrows(schedule_)),
        events_(events) {}

  void write(const Timeline& timeline) {
    timeline_ = &timeline;
    prefix_ = drawing_.predicted != nullptr && drawing_.measured != nullptr
                  ? timeline.measured ? "measured "sv : "predicted "sv
                  : ""sv;
    tracks_.assign(timeline.spans.size(), {});
    write_lanes();
    write_links();
    write_critical_path();
    write_arrows();
  }

 private:
  void begin_process(std::string_view name) { events_.name_process(++process_, fmt::format("{}{}", prefix_, name)); }
  Track begin_thread(std::string_view name) {
    ++thread_;
    events_.name_thread({process_, thread_}, name, thread_);
    return {process_, thread_};
  }

  std::int64_t start_ns(std::size_t span) const { return timeline_->spans[span].start_ps / kPsPerNs; }
  std::int64_t end_ns(std::size_t span) const { return timeline_->spans[span].end_ps / kPsPerNs; }

  void write_lanes() {
    int rank = -1;
    for (const drawing::DrawnLane& lane : lanes_) {
      if (lane.rank != rank) begin_process(drawing::rank_title(schedule_.contract.mesh, lane.rank));
      rank = lane.rank;
      write_lane(lane);
    }
  }

  /// What a lane does itself follows one upon the other; what it has sent off overlaps, and gets threads of its own.
  void write_lane(const drawing::DrawnLane& lane) {
    std::array<drawing::Slots, 2> slots;
    std::array<std::vector<Track>, 2> threads;
    threads[0].push_back(begin_thread(lane.lane->name));
    for (const std::size_t op : in_order_of_start(lane)) {
      const std::size_t number = lane.first_span + op;
      const SpanKind kind = timeline_->spans[number].kind;
      const bool under_way = kind == SpanKind::kTransfer || kind == SpanKind::kSignal;
      std::vector<Track>& group = threads[under_way ? 1 : 0];
      const std::size_t slot = slots[under_way ? 1 : 0].take(start_ns(number), end_ns(number));
      if (slot == group.size())
        group.push_back(begin_thread(fmt::format("{}{} {}", lane.lane->name, under_way ? " under way" : "", slot + 1)));
      tracks_[number] = group[slot];
      events_.slice(group[slot], drawing::op_title(schedule_, lane.lane->ops[op]), start_ns(number), end_ns(number),
                    args_of(lane, op));
    }
  }

  std::vector<std::size_t> in_order_of_start(const drawing::DrawnLane& lane) const {
    std::vector<std::size_t> ops(lane.lane->ops.size());
    std::iota(ops.begin(), ops.end(), std::size_t{0});
    const auto earlier = [&](std::size_t a, std::size_t b) {
      return start_ns(lane.first_span + a) < start_ns(lane.first_span + b);
    };
    if (!std::is_sorted(ops.begin(), ops.end(), earlier)) std::stable_sort(ops.begin(), ops.end(), earlier);
    return ops;
  }

  SliceArgs args_of(const drawing::DrawnLane& lane, std::size_t op) {
    text_ = to_string(schedule_, lane.rank, lane.lane->ops[op]);
    return {text_, lines_[lane.first_span + op], drawing::written_bytes(schedule_, lane.lane->ops[op])};
  }

  const Op& op_of(const Span& span) const {
    const RankProgram& program = schedule_.ranks[static_cast<std::size_t>(span.place.rank)];
    return program.lanes[static_cast<std::size_t>(span.place.lane)].ops[static_cast<std::size_t>(span.place.op)];
  }

  void write_links() {
    std::vector<std::vector<const LinkUse*>> uses(timeline_->links.size());
    for (const LinkUse& use : timeline_->link_uses)
      if (drawn_[static_cast<std::size_t>(use.span)]) uses[static_cast<std::size_t>(use.link)].push_back(&use);
    bool begun = false;
    for (std::size_t link = 0; link < uses.size(); ++link) {
      if (uses[link].empty()) continue;
      if (!begun) begin_process("links");
      begun = true;
      write_link(timeline_->links[link].name, std::move(uses[link]));
    }
  }

  void write_link(std::string_view name, std::vector<const LinkUse*> uses) {
    std::stable_sort(uses.begin(), uses.end(),
                     [](const LinkUse* a, const LinkUse* b) { return a->start_ps < b->start_ps; });
    drawing::Slots slots;
    std::vector<Track> threads;
    for (const LinkUse* use : uses) {
      const std::int64_t start = use->start_ps / kPsPerNs;
      const std::int64_t end = use->end_ps / kPsPerNs;
      const std::size_t slot = slots.take(start, end);
      if (slot == threads.size())
        threads.push_back(begin_thread(slot == 0 ? std::string(name) : fmt::format("{} {}", name, slot + 1)));
      const Span& span = timeline_->spans[static_cast<std::size_t>(use->span)];
      const Op& op = op_of(span);
      const std::string title = fmt::format("rank {}: {}", span.place.rank, drawing::op_title(schedule_, op));
      events_.slice(threads[slot], title, start, end,
                    {"", lines_[static_cast<std::size_t>(use->span)], drawing::written_bytes(schedule_, op)});
    }
  }

  void write_critical_path() {
    if (timeline_->critical_path.empty()) return;
    begin_process("critical path");
    const Track track = begin_thread("critical path");
    for (const PathStep& step : timeline_->critical_path) {
      const Span& span = timeline_->spans[static_cast<std::size_t>(step.span)];
      const std::string what =
          fmt::format("{}: rank {}: {}", name(step.blame), span.place.rank, drawing::op_title(schedule_, op_of(span)));
      events_.slice(track, what, step.start_ps / kPsPerNs, step.end_ps / kPsPerNs,
                    {"", lines_[static_cast<std::size_t>(step.span)], 0});
    }
  }

  /// A slice is open from its start to the nanosecond before its end; viewers drop arrows that begin or end elsewhere.
  void write_arrows() {
    for (const drawing::Arrow& arrow : arrows_) {
      const auto from = static_cast<std::size_t>(arrow.from);
      const auto to = static_cast<std::size_t>(arrow.to);
      if (!drawn_[from] || !drawn_[to]) continue;
      const std::int64_t arrives = end_ns(to) - 1;
      const std::int64_t leaves = std::min(end_ns(from) - 1, arrives);  // `sent` is raised before its put ends
      if (arrives < start_ns(to) || leaves < start_ns(from)) continue;
      events_.flow(++flow_, "raises", tracks_[from], leaves, tracks_[to], arrives);
    }
  }

  const Drawing& drawing_;
  const Schedule& schedule_;
  std::vector<drawing::DrawnLane> lanes_;
  std::vector<bool> drawn_;
  std::vector<std::int64_t> lines_;  ///< by span
  std::vector<drawing::Arrow> arrows_;
  TraceEvents& events_;

  const Timeline* timeline_ = nullptr;
  std::string_view prefix_;    ///< of its processes
  std::vector<Track> tracks_;  ///< by span
  std::string text_;           ///< of the op that is being written
  std::int32_t process_ = 0;
  std::int32_t thread_ = 0;
  std::int64_t flow_ = 0;
};

}  // namespace

void write_trace(const Drawing& drawing, std::ostream& out) {
  drawing::check(drawing);
  const std::vector<const Timeline*> timelines = drawing::timelines(drawing);
  if (timelines.empty()) throw Error(ErrorCode::kInvalidArgument, "a trace shows timelines, and none is given");
  TraceEvents events(out, drawing.note);
  TraceMaker maker(drawing, events);
  for (const Timeline* timeline : timelines) maker.write(*timeline);
  events.finish();
}

std::string trace_json(const Drawing& drawing) {
  std::ostringstream text;
  write_trace(drawing, text);
  return std::move(text).str();
}

}  // namespace meshmul
