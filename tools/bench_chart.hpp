#pragma once
// Charts of measured values as a script for gnuplot.

#include <string>
#include <utility>
#include <vector>

namespace meshmul::cli {

/// A median and its interval.
struct ChartValue {
  double median = 0;
  double low = 0, high = 0;
};

/// Values over sizes, both logarithmic and positive.
struct LineChart {
  struct Point {
    double size = 0;
    ChartValue value;
  };
  struct Line {
    std::string name;
    std::vector<Point> points;  ///< sizes rise
  };
  std::string title;
  std::string size_label;
  std::vector<std::pair<double, std::string>> size_marks;  ///< along the axis, in words
  std::string value_label, value_unit;                     ///< the unit stands at each mark, after a prefix: `B/s`
  std::vector<Line> lines;
};

/// Shares of a bound, which is 1 and is drawn as a line.
struct BarChart {
  struct Bar {
    std::string name;
    ChartValue value;
  };
  std::string title;
  std::string value_label;
  std::string bound;  ///< its name
  std::vector<Bar> bars;
};

/// What gnuplot 5 can write.
enum class PlotFormat { kSvg, kPng, kPdf };

/// Draws the charts one below the other into the file `output`: for `gnuplot SCRIPT`, with all data in it. At least one chart, each with
/// a line or bar. Texts are shown as they are but for control characters: whatever they hold, none of it is a command.
std::string gnuplot_script(const std::vector<LineChart>& charts, PlotFormat format, const std::string& output);
std::string gnuplot_script(const std::vector<BarChart>& charts, PlotFormat format, const std::string& output);

}  // namespace meshmul::cli
