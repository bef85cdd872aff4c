#pragma once
// Charts of measured values as one SVG file that needs nothing else.

#include <string>
#include <utility>
#include <vector>

namespace meshmul::cli {

/// Values over sizes, both logarithmic.
struct LineChart {
  struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< size and value, both positive; sizes rise
  };
  std::string title;
  std::string size_unit, value_unit;  ///< `B`, `B/s`
  std::vector<Line> lines;
};

/// Shares of a bound, which is 1 and is drawn as a line.
struct BarChart {
  struct Bar {
    std::string name;
    double value = 0;
    double low = 0, high = 0;  ///< its interval
  };
  std::string title;
  std::vector<Bar> bars;
};

/// The charts one below the other.
std::string svg_of(const std::vector<LineChart>& charts);
std::string svg_of(const std::vector<BarChart>& charts);

}  // namespace meshmul::cli
