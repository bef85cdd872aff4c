// How long a trace or page will be, from a few of its ops.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "draw/arrows.hpp"
#include "draw/embedded_page.hpp"
#include "draw/op_facts.hpp"
#include "draw/op_words.hpp"
#include "draw/page_data.hpp"
#include "draw/scope.hpp"
#include "meshmul/draw.hpp"
#include "schedule/op_regions.hpp"

namespace meshmul {
namespace {

constexpr std::int64_t kSampled = 2000;  // ops, of one timeline

/// What a drawing has many of.
struct Amounts {
  std::int64_t ops = 0;
  double text_bytes = 0;   ///< of an op and its title, on average
  double word_values = 0;  ///< numbers that stand for its words, on average
  std::int64_t waits = 0;  ///< with an arrow
};

Amounts amounts_of(const Drawing& drawing) {
  Amounts amounts;
  if (drawing.schedule == nullptr) return amounts;
  const std::vector<bool> drawn = drawing::drawn_spans(drawing);
  amounts.ops = std::count(drawn.begin(), drawn.end(), true);
  for (const drawing::Arrow& arrow : drawing::arrows(*drawing.schedule))
    if (drawn[static_cast<std::size_t>(arrow.from)] && drawn[static_cast<std::size_t>(arrow.to)]) ++amounts.waits;
  const std::int64_t step = std::max<std::int64_t>(1, amounts.ops / kSampled);
  std::int64_t number = 0, samples = 0;
  for (const drawing::DrawnLane& lane : drawing::drawn_lanes(drawing))
    for (const Op& op : lane.lane->ops) {
      if (number++ % step != 0) continue;
      const std::string text = to_string(*drawing.schedule, lane.rank, op);
      amounts.text_bytes += static_cast<double>(text.size() + drawing::op_title(*drawing.schedule, op).size());
      amounts.word_values += static_cast<double>(drawing::words_of(text).size()) + (is_put_or_get(op) ? 2 : 0);
      ++samples;
    }
  if (samples > 0) amounts.text_bytes /= static_cast<double>(samples);
  if (samples > 0) amounts.word_values /= static_cast<double>(samples);
  return amounts;
}

std::int64_t drawn_uses(const Drawing& drawing, const Timeline& timeline) {
  const std::vector<bool> drawn = drawing::drawn_spans(drawing);
  return std::count_if(timeline.link_uses.begin(), timeline.link_uses.end(),
                       [&](const LinkUse& use) { return drawn[static_cast<std::size_t>(use.span)]; });
}

double digits(double number) { return number < 10 ? 1 : std::floor(std::log10(number)) + 1; }

}  // namespace

std::int64_t estimated_trace_bytes(const Drawing& drawing) {
  // Names of members, brackets, and numbers of the usual length.
  constexpr double kSlice = 95, kFlow = 190, kLinkSlice = 125, kName = 165;
  drawing::check(drawing);
  const Amounts amounts = amounts_of(drawing);
  // A lane has two threads most of the time, and each rank and link is named too.
  const std::size_t names =
      2 * drawing::drawn_lanes(drawing).size() + static_cast<std::size_t>(drawing::ranks(drawing).size());
  double bytes = 0;
  for (const Timeline* timeline : drawing::timelines(drawing)) {
    const double time_digits = digits(static_cast<double>(timeline->makespan_ps) / 1e3);
    bytes += static_cast<double>(names + timeline->links.size()) * kName;
    bytes += static_cast<double>(amounts.ops) * (kSlice + time_digits + amounts.text_bytes) +
             static_cast<double>(amounts.waits) * kFlow +
             static_cast<double>(drawn_uses(drawing, *timeline) +
                                 static_cast<std::int64_t>(timeline->critical_path.size())) *
                 kLinkSlice;
  }
  return static_cast<std::int64_t>(bytes);
}

std::int64_t estimated_page_bytes(const Drawing& drawing) {
  // Numbers of words have three digits on average, and a comma.
  constexpr double kWord = 4, kOp = 8;
  drawing::check(drawing);
  Drawing without_ops = drawing;
  without_ops.schedule = nullptr;
  without_ops.predicted = without_ops.measured = nullptr;
  const drawing::EmbeddedPage& page = drawing::embedded_page();
  double bytes = static_cast<double>(page.html.size() + page.style.size() + page.script.size());
  if (drawing.plan != nullptr || drawing.program_plan != nullptr)
    bytes += static_cast<double>(drawing::page_data(without_ops).json.size());
  const Amounts amounts = amounts_of(drawing);
  const auto ops = static_cast<double>(amounts.ops);
  bytes += ops * (kOp + kWord * amounts.word_values) + 2 * static_cast<double>(amounts.waits) * (digits(ops) + 1);
  for (const Timeline* timeline : drawing::timelines(drawing)) {
    const double time_digits = digits(static_cast<double>(timeline->makespan_ps));
    bytes += ops * 1.8 * time_digits +
             static_cast<double>(drawn_uses(drawing, *timeline)) * (2 * time_digits + digits(ops) + 6);
  }
  return static_cast<std::int64_t>(bytes);
}

}  // namespace meshmul
