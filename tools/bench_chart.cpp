#include "bench_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/amounts.hpp"
#include "base/escape_markup.hpp"

namespace meshmul::cli {
namespace {

constexpr double kWidth = 720;
constexpr double kLeft = 180;   // names of values stand here
constexpr double kRight = 170;  // and those of lines
constexpr double kTop = 40;
constexpr double kRowHeight = 22;
constexpr double kPlotHeight = 300;
// Told apart by people who see few colours: Okabe and Ito.
constexpr const char* kColours[] = {"#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"};

std::string label(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escape_markup(text));
}
std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2,
                     colour);
}

std::string document(const std::string& body, double height) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n{2}</svg>\n",
      kWidth, height, body);
}

/// A logarithmic scale over whole powers of `base` that hold all of its values.
class Scale {
 public:
  Scale(double base, double from, double to) : base_(base), from_(from), to_(to) {}

  void add(double value) {
    first_ = std::min(first_, std::floor(log(value) + 1e-9));
    last_ = std::max(last_, std::ceil(log(value) - 1e-9));
  }
  double at(double value) const {
    return from_ + (to_ - from_) * (log(value) - first_) / std::max(1.0, last_ - first_);
  }
  std::vector<double> ticks() const {
    std::vector<double> ticks;
    for (double power = first_; power <= last_; ++power) ticks.push_back(std::pow(base_, power));
    return ticks;
  }

 private:
  double log(double value) const { return std::log(value) / std::log(base_); }

  double base_, from_, to_;
  double first_ = std::numeric_limits<double>::infinity();
  double last_ = -std::numeric_limits<double>::infinity();
};

std::string drawn(const LineChart& chart, double top) {
  constexpr double kSizesPerTick = 4;
  Scale sizes(kSizesPerTick, kLeft, kWidth - kRight);
  Scale values(10, top + kTop + kPlotHeight, top + kTop);
  for (const LineChart::Line& each : chart.lines)
    for (const auto& [size, value] : each.points) {
      sizes.add(size);
      values.add(value);
    }
  std::string body = label(kLeft, top + kTop / 2, "start", chart.title);
  for (const double tick : values.ticks()) {
    body += line(kLeft, values.at(tick), kWidth - kRight, values.at(tick), "#dddddd");
    body += label(kLeft - 8, values.at(tick) + 4, "end", format_amount(tick, chart.value_unit));
  }
  const double bottom = top + kTop + kPlotHeight;
  for (const double tick : sizes.ticks())
    body += label(sizes.at(tick), bottom + 18, "middle", format_amount(tick, chart.size_unit));
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const char* colour = kColours[i % std::size(kColours)];
    std::string points;
    for (const auto& [size, value] : chart.lines[i].points)
      points += fmt::format("{:.1f},{:.1f} ", sizes.at(size), values.at(value));
    body += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, colour);
    const double y = top + kTop + kRowHeight * static_cast<double>(i) + 12;
    body += line(kWidth - kRight + 10, y - 4, kWidth - kRight + 34, y - 4, colour);
    body += label(kWidth - kRight + 40, y, "start", chart.lines[i].name);
  }
  return body;
}

double height_of(const LineChart&) { return kTop + kPlotHeight + 40; }
double height_of(const BarChart& chart) { return kTop + kRowHeight * static_cast<double>(chart.bars.size()) + 20; }

std::string drawn(const BarChart& chart, double top) {
  double most = 1;
  for (const BarChart::Bar& bar : chart.bars) most = std::max(most, bar.high);
  const auto x = [&](double value) { return kLeft + (kWidth - kLeft - kRight) * value / most; };
  std::string body = label(10, top + kTop / 2, "start", chart.title);
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const BarChart::Bar& bar = chart.bars[i];
    const double y = top + kTop + kRowHeight * static_cast<double>(i);
    const double middle = y + kRowHeight / 2 - 2;
    body += label(kLeft - 8, middle + 4, "end", bar.name);
    body += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#56B4E9\"/>\n",
                        kLeft, y, x(bar.value) - kLeft, kRowHeight - 4);
    body += line(x(bar.low), middle, x(bar.high), middle, "#000000");
    body += label(x(bar.high) + 8, middle + 4, "start", fmt::format("{:.3f}", bar.value));
  }
  return body + line(x(1), top + kTop, x(1), top + height_of(chart) - 20, "#D55E00");
}

template <class Chart>
std::string one_below_the_other(const std::vector<Chart>& charts) {
  std::string body;
  double top = 0;
  for (const Chart& chart : charts) {
    body += drawn(chart, top);
    top += height_of(chart);
  }
  return document(body, top);
}

}  // namespace

std::string svg_of(const std::vector<LineChart>& charts) { return one_below_the_other(charts); }
std::string svg_of(const std::vector<BarChart>& charts) { return one_below_the_other(charts); }

}  // namespace meshmul::cli
