#include "time_comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "draw/timeline_words.hpp"
#include "plan/report/table.hpp"

namespace meshmul::cli {
namespace {

double seconds(std::int64_t ps) { return static_cast<double>(ps) * 1e-12; }

std::string ratio(std::int64_t measured_ps, std::int64_t predicted_ps) {
  if (predicted_ps == 0) return "";
  return fmt::format("{:.3g}", static_cast<double>(measured_ps) / static_cast<double>(predicted_ps));
}

Row row(std::string what, std::int64_t ops, std::int64_t predicted_ps, std::int64_t measured_ps) {
  return {std::move(what), fmt::format("{} ops", ops), drawing::duration_text(predicted_ps),
          drawing::duration_text(measured_ps), ratio(measured_ps, predicted_ps)};
}

void count(const Span& predicted, const Span& measured, std::vector<KindTimes>& kinds) {
  auto of_kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const KindTimes& known) { return known.kind == predicted.kind; });
  if (of_kind == kinds.end()) of_kind = kinds.insert(kinds.end(), KindTimes{predicted.kind, 0, 0, 0});
  ++of_kind->ops;
  of_kind->predicted_ps += predicted.duration_ps();
  of_kind->measured_ps += measured.duration_ps();
}

Json times_json(std::int64_t predicted_ps, std::int64_t measured_ps) {
  return {{"predicted_seconds", seconds(predicted_ps)}, {"measured_seconds", seconds(measured_ps)}};
}

Json span_json(const Span& span) {
  return {{"start_seconds", seconds(span.start_ps)}, {"end_seconds", seconds(span.end_ps)}};
}

}  // namespace

TimeComparison compare_times(const Schedule& schedule, const Timeline& predicted, const Timeline& measured) {
  TimeComparison times{predicted.makespan_ps, measured.makespan_ps, {}, {}};
  for (std::size_t i = 0; i < measured.spans.size(); ++i) {
    const OpPlace& place = measured.spans[i].place;
    const Lane& lane = schedule.ranks[static_cast<std::size_t>(place.rank)].lanes[static_cast<std::size_t>(place.lane)];
    times.ops.push_back({lane.name, to_string(schedule, place.rank, lane.ops[static_cast<std::size_t>(place.op)]),
                         predicted.spans[i], measured.spans[i]});
    count(predicted.spans[i], measured.spans[i], times.kinds);
  }
  return times;
}

std::string as_text(const TimeComparison& times) {
  std::vector<Row> rows{{"", "", "predicted", "measured", "times as long"}};
  rows.push_back(row("all", static_cast<std::int64_t>(times.ops.size()), times.predicted_ps, times.measured_ps));
  for (const KindTimes& kind : times.kinds)
    rows.push_back(row(std::string(name(kind.kind)), kind.ops, kind.predicted_ps, kind.measured_ps));
  return "\ntimeline, kinds summed over all ranks:\n" + text_table(rows);
}

Json as_json(const TimeComparison& times) {
  Json json = times_json(times.predicted_ps, times.measured_ps);
  json["kinds"] = Json::array();
  for (const KindTimes& kind : times.kinds) {
    Json of_kind{{"kind", name(kind.kind)}, {"ops", kind.ops}};
    of_kind.update(times_json(kind.predicted_ps, kind.measured_ps));
    json["kinds"].push_back(std::move(of_kind));
  }
  json["ops"] = Json::array();
  for (const OpTimesRow& op : times.ops)
    json["ops"].push_back({{"rank", op.measured.place.rank},
                           {"lane", op.lane},
                           {"op", op.op},
                           {"kind", name(op.measured.kind)},
                           {"predicted", span_json(op.predicted)},
                           {"measured", span_json(op.measured)}});
  return json;
}

}  // namespace meshmul::cli
