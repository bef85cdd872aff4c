#include "draw/timeline_data.hpp"

#include <algorithm>
#include <vector>

#include "draw/arrows.hpp"
#include "draw/op_words.hpp"
#include "draw/scope.hpp"
#include "schedule/op_regions.hpp"

namespace meshmul::drawing {
namespace {

/// By number of the span: the number of its op on the page, or -1.
std::vector<std::int64_t> page_numbers(const Drawing& drawing) {
  std::vector<std::int64_t> numbers;
  std::int64_t next = 0;
  for (const bool drawn : drawn_spans(drawing)) numbers.push_back(drawn ? next++ : -1);
  return numbers;
}

void write_op(JsonWriter& json, const Schedule& schedule, int rank, const Op& op, WordTable& words) {
  const std::string text = to_string(schedule, rank, op);
  const std::vector<std::string_view> parts = words_of(text);
  json.value(static_cast<std::int64_t>(parts.size()));
  for (const std::string_view part : parts) json.value(words.number_of(part));
  json.value(written_bytes(schedule, op));
  if (!is_put_or_get(op)) return;
  const Route route = route_of(op, rank);
  json.value(route.from).value(route.to);
}

void write_lines(JsonWriter& json, const std::vector<std::int64_t>& lines, const DrawnLane& lane) {
  const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(lane.first_span);
  const auto end = begin + static_cast<std::ptrdiff_t>(lane.lane->ops.size());
  json.key("line");
  if (begin == end || *(end - 1) - *begin == end - begin - 1) {
    json.value(begin == end ? 0 : *begin);
    return;
  }
  json.begin_array();
  std::for_each(begin, end, [&](std::int64_t line) { json.value(line); });
  json.end_array();
}

void write_times(JsonWriter& json, const Drawing& drawing, const Timeline& timeline) {
  json.key("times").begin_array();
  for (const DrawnLane& lane : drawn_lanes(drawing)) {
    json.line_break();
    std::int64_t before = 0;
    for (std::size_t op = 0; op < lane.lane->ops.size(); ++op) {
      const Span& span = timeline.spans[lane.first_span + op];
      json.value(span.start_ps - before).value(span.duration_ps());
      before = span.start_ps;
    }
  }
  json.end_array();
}

}  // namespace

void write_ops(JsonWriter& json, const Drawing& drawing) {
  const Schedule& schedule = *drawing.schedule;
  const std::vector<std::int64_t> lines_of_ops = lines(schedule);
  WordTable words;
  json.key("lanes").begin_array();
  for (const DrawnLane& lane : drawn_lanes(drawing)) {
    json.line_break();
    json.begin_object().key("rank").value(lane.rank).key("name").value(lane.lane->name);
    write_lines(json, lines_of_ops, lane);
    json.key("ops").begin_array();
    for (const Op& op : lane.lane->ops) write_op(json, schedule, lane.rank, op, words);
    json.end_array().end_object();
  }
  json.end_array().key("words").values(words.words());
  json.key("arrows").begin_array();
  const std::vector<std::int64_t> numbers = page_numbers(drawing);
  for (const Arrow& arrow : arrows(schedule)) {
    const std::int64_t from = numbers[static_cast<std::size_t>(arrow.from)];
    const std::int64_t to = numbers[static_cast<std::size_t>(arrow.to)];
    if (from >= 0 && to >= 0) json.value(from).value(to);
  }
  json.end_array();
}

void write_timeline(JsonWriter& json, const Drawing& drawing, const Timeline& timeline) {
  const std::vector<std::int64_t> numbers = page_numbers(drawing);
  json.begin_object().key("measured").value(timeline.measured ? 1 : 0).key("makespan").value(timeline.makespan_ps);
  write_times(json, drawing, timeline);
  json.key("links").begin_array();
  for (const Link& link : timeline.links)
    json.begin_array().value(link.name).value(link.from).value(link.to).end_array();
  json.end_array().key("uses").begin_array();
  for (const LinkUse& use : timeline.link_uses) {
    const std::int64_t op = numbers[static_cast<std::size_t>(use.span)];
    if (op >= 0) json.value(use.link).value(op).value(use.start_ps).value(use.end_ps);
  }
  json.end_array().key("path").begin_array();
  for (const PathStep& step : timeline.critical_path)
    json.value(static_cast<int>(step.blame))
        .value(numbers[static_cast<std::size_t>(step.span)])
        .value(step.start_ps)
        .value(step.end_ps);
  json.end_array().end_object();
}

}  // namespace meshmul::drawing
