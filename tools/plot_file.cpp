#include "plot_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>

#include "base/child_process.hpp"
#include "base/temporary_folder.hpp"
#include "execute/cpu/file_descriptor.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

namespace fs = std::filesystem;

std::optional<PlotFormat> format_of(const fs::path& path) {
  const std::string ending = path.extension();
  if (ending == ".svg") return PlotFormat::kSvg;
  if (ending == ".png") return PlotFormat::kPng;
  if (ending == ".pdf") return PlotFormat::kPdf;
  return std::nullopt;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What the program draws by the script that `script_for` makes for the name of its output.
template <class ScriptFor>
std::string drawn_by(const fs::path& gnuplot, ScriptFor script_for) {
  const TemporaryFolder folder;
  const std::string script = folder.file("script.gp"), picture = folder.file("picture"), says = folder.file("says");
  write_file(script, script_for(picture));
  const FileDescriptor log(open(says.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!log.is_open())
    throw Error(ErrorCode::kMachine,
                fmt::format("cannot make the file {}: {}", says, std::generic_category().message(errno)));
  // Without what users set for themselves.
  ChildProcess child({gnuplot, {"-d", script}, {}, {{log.number(), STDOUT_FILENO}, {log.number(), STDERR_FILENO}}});
  const std::string end = child.wait_for_end();
  std::string bytes = contents(picture);
  if (end != "ended with exit status 0" || bytes.empty())
    throw Error(ErrorCode::kMachine, fmt::format("{} {}: {}", gnuplot.string(), end, contents(says)));
  return bytes;
}

}  // namespace

PlotFile::PlotFile(const std::string& path) : path_(path), is_script_(path_.extension() == ".gp") {
  if (!is_script_) {
    const std::optional<PlotFormat> format = format_of(path_);
    if (!format)
      throw Error(ErrorCode::kInvalidArgument,
                  fmt::format("--plot {} is of no kind that is drawn; expected FILE.svg, FILE.png or FILE.pdf, or "
                              "FILE.gp for gnuplot's script alone",
                              path));
    format_ = *format;
    const std::optional<fs::path> gnuplot = find_in_path("gnuplot");
    if (!gnuplot)
      throw Error(
          ErrorCode::kInvalidArgument,
          fmt::format("--plot {}: there is no gnuplot in PATH to draw it (Debian: gnuplot-nox); --plot {} writes "
                      "its script alone",
                      path, fs::path(path_).replace_extension(".gp").string()));
    gnuplot_ = *gnuplot;
  }
  file_ = std::make_unique<AtomicFile>(path, 0);
}

template <class Chart>
void PlotFile::write_any(const std::vector<Chart>& charts) {
  if (charts.empty()) return;
  const std::string bytes =
      is_script_
          ? gnuplot_script(charts, format_, path_.filename().replace_extension(".svg").string())
          : drawn_by(gnuplot_, [&](const std::string& output) { return gnuplot_script(charts, format_, output); });
  file_->write_at(0, std::as_bytes(std::span(bytes)));
  file_->commit();
}

template void PlotFile::write_any(const std::vector<LineChart>&);
template void PlotFile::write_any(const std::vector<BarChart>&);

}  // namespace meshmul::cli
