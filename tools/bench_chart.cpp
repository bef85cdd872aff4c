#include "bench_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace meshmul::cli {
namespace {

constexpr int kWidth = 960;  // in pixels, of which an inch has 96

/// A text in single quotes, in which gnuplot replaces nothing. A line ends a command, also within quotes.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    result += is_control ? '?' : c;
    if (c == '\'') result += c;
  }
  return result + "'";
}

std::string terminal(PlotFormat format, int height) {
  constexpr double kPixelsPerInch = 96;
  const auto with_size = [&](const char* name) {
    return fmt::format("{} size {},{} background rgb 'white'", name, kWidth, height);
  };
  switch (format) {
    case PlotFormat::kSvg: return with_size("svg");
    case PlotFormat::kPng: return with_size("pngcairo");
    case PlotFormat::kPdf:
      return fmt::format("pdfcairo size {:.2f}in,{:.2f}in", kWidth / kPixelsPerInch, height / kPixelsPerInch);
  }
  return {};
}

/// All that stands ahead of the charts. Colours that people who see few of them tell apart: Okabe and Ito.
std::string opening(PlotFormat format, int height, std::size_t num_charts, const std::string& output) {
  std::string text = fmt::format(
      "set terminal {} font 'sans,10' noenhanced\n"
      "set output {}\n"
      "set encoding utf8\n",
      terminal(format, height), quoted(output));
  int type = 0;
  for (const char* colour : {"#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"})
    text += fmt::format("set linetype {} linecolor rgb '{}' pointsize 0.5\n", ++type, colour);
  return text + fmt::format("set multiplot layout {},1\n", num_charts);
}

constexpr int height_of(const LineChart&) { return 400; }

constexpr const char* kForLines =
    "set logscale x 2\n"
    "set logscale y 10\n"
    "set grid linetype 1 linecolor rgb '#dddddd'\n"
    "set key outside right top reverse Left\n"
    "set offsets graph 0.02, graph 0.02, 0, 0\n";

constexpr const char* settings_of(const std::vector<LineChart>&) { return kForLines; }

std::string drawn(const LineChart& chart, std::size_t number) {
  std::string data, plots, marks;
  for (const auto& [size, words] : chart.size_marks)
    marks += fmt::format("{}{} {}", marks.empty() ? "" : ", ", quoted(words), size);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    const LineChart::Line& line = chart.lines[i];
    const std::string block = fmt::format("$chart{}line{}", number, i);
    data += block + " << EOD\n";
    for (const auto& [size, value] : line.points)
      data += fmt::format("{} {} {} {}\n", size, value.median, value.low, value.high);
    data += "EOD\n";
    plots += fmt::format("{}{} using 1:2:3:4 with yerrorlines linetype {} title {}", i == 0 ? "plot " : ", \\\n  ",
                         block, i + 1, quoted(line.name));
  }
  return data +
         fmt::format("set title {}\nset xlabel {}\nset xtics ({})\nset ylabel {}\nset format y '%.0s %c'.{}\n{}\n",
                     quoted(chart.title), quoted(chart.size_label), marks, quoted(chart.value_label),
                     quoted(chart.value_unit), plots);
}

int height_of(const BarChart& chart) { return 120 + 24 * static_cast<int>(chart.bars.size()); }

constexpr const char* kForBars =
    "set style fill solid\n"
    "set grid xtics linetype 1 linecolor rgb '#dddddd'\n"
    "set key outside right top reverse Left\n"
    "set ytics scale 0\n";

constexpr const char* settings_of(const std::vector<BarChart>&) { return kForBars; }

std::string drawn(const BarChart& chart, std::size_t number) {
  constexpr double kRoomForNumber = 1.15;
  double most = 1;
  std::string data = fmt::format("$chart{} << EOD\n", number), names;
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const auto& [name, value] = chart.bars[i];
    data += fmt::format("{} {} {}\n", value.median, value.low, value.high);
    names += fmt::format("{}{} {}", i == 0 ? "" : ", ", quoted(name), i);
    most = std::max(most, value.high);
  }
  return data +
         fmt::format(
             "EOD\n"
             "$bound{number} << EOD\n1 -0.5\n1 {last}.5\nEOD\n"
             "set title {title}\n"
             "set xlabel {label}\n"
             "set xrange [0:{most}]\n"
             "set yrange [{last}.5:-0.5]\n"
             "set ytics ({names})\n"
             "plot $chart{number} using 1:0:(0):1:($0-0.35):($0+0.35) with boxxyerror linetype 7 title 'median', \\\n"
             "  '' using 1:0:2:3 with xerrorbars linetype 1 pointsize 0 title 'interval', \\\n"
             "  '' using ({most}):0:(sprintf('%.3f', $1)) with labels right offset -1,0 notitle, \\\n"
             "  $bound{number} with lines linetype 3 linewidth 2 title {bound}\n",
             fmt::arg("title", quoted(chart.title)), fmt::arg("label", quoted(chart.value_label)),
             fmt::arg("most", most * kRoomForNumber), fmt::arg("last", chart.bars.size() - 1), fmt::arg("names", names),
             fmt::arg("number", number), fmt::arg("bound", quoted(chart.bound)));
}

template <class Chart>
std::string script_of(const std::vector<Chart>& charts, PlotFormat format, const std::string& output) {
  int height = 0;
  for (const Chart& chart : charts) height = std::max(height, height_of(chart));
  std::string text = opening(format, height * static_cast<int>(charts.size()), charts.size(), output);
  text += settings_of(charts);
  for (std::size_t i = 0; i < charts.size(); ++i) text += drawn(charts[i], i);
  return text + "unset multiplot\n";
}

}  // namespace

std::string gnuplot_script(const std::vector<LineChart>& charts, PlotFormat format, const std::string& output) {
  return script_of(charts, format, output);
}

std::string gnuplot_script(const std::vector<BarChart>& charts, PlotFormat format, const std::string& output) {
  return script_of(charts, format, output);
}

}  // namespace meshmul::cli
