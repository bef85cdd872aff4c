#pragma once
// The file that `--plot` names: a picture that gnuplot draws, or gnuplot's script.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench_chart.hpp"
#include "io/atomic_file.hpp"

namespace meshmul::cli {

class PlotFile {
 public:
  /// Opens FILE.svg, FILE.png, FILE.pdf or, for a script that draws FILE.svg, FILE.gp; nothing is seen of it until it is written.
  /// Throws Error(kInvalidArgument) if the name ends otherwise, if the file cannot be written, and if gnuplot is needed and
  /// PATH has none.
  explicit PlotFile(const std::string& path);

  /// Writes the file; without charts nothing. Throws Error(kMachine) with what gnuplot says if it fails.
  void write(const std::vector<LineChart>& charts) { write_any(charts); }
  void write(const std::vector<BarChart>& charts) { write_any(charts); }

 private:
  template <class Chart>
  void write_any(const std::vector<Chart>& charts);

  std::filesystem::path path_;
  bool is_script_ = false;
  PlotFormat format_ = PlotFormat::kSvg;
  std::filesystem::path gnuplot_;  ///< of a picture
  std::unique_ptr<AtomicFile> file_;
};

}  // namespace meshmul::cli
