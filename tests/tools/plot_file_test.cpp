#include "plot_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "base/temporary_folder.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cli {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::ThrowsMessage;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<BarChart> kBars{
    {"it's `touch a` & <b>", "share", "bound", {{"ring", {0.75, 0.5, 1}}, {"pull {x_y}", {1.25, 1.125, 1.5}}}}};
const std::vector<LineChart> kLines{
    {"AllGather", "bytes", {}, "rate", "B/s", {{"ring", {{1024, {2e9, 1e9, 3e9}}, {4096, {4e9, 3.5e9, 5e9}}}}}},
    {"AllToAll", "bytes", {{1024, "1 KiB"}}, "rate", "B/s", {{"one size", {{1024, {2e9, 1e9, 3e9}}}}}}};

/// Environment variables of this process, until it goes.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

TEST(PlotFile, draws_svg_that_shows_all_texts_as_they_are) {
  const TemporaryFolder folder;
  PlotFile(folder.file("plot.svg")).write(kBars);
  const std::string svg = contents(folder.file("plot.svg"));
  EXPECT_THAT(svg, AllOf(StartsWith("<?xml"), EndsWith("</svg>\n\n")));
  for (const char* text :
       {"it's `touch a` &amp; &lt;b>", "pull {x_y}", "ring", "share", "bound", "0.750", "1.250", "median", "interval"})
    EXPECT_THAT(svg, HasSubstr(text));
}

TEST(PlotFile, draws_png_and_pdf) {
  const TemporaryFolder folder;
  PlotFile(folder.file("plot.png")).write(kLines);
  EXPECT_THAT(contents(folder.file("plot.png")), AllOf(StartsWith("\x89PNG\r\n"), HasSubstr("IEND")));
  PlotFile(folder.file("plot.pdf")).write(kLines);
  EXPECT_THAT(contents(folder.file("plot.pdf")), AllOf(StartsWith("%PDF-"), EndsWith("%%EOF\n")));
}

TEST(PlotFile, leaves_nothing_but_the_picture) {
  const TemporaryFolder folder, temporary;
  const Variable elsewhere("TMPDIR", temporary.path());
  PlotFile(folder.file("plot.svg")).write(kLines);
  EXPECT_THAT(folder.names(), testing::ElementsAre("plot.svg"));
  EXPECT_THAT(temporary.names(), IsEmpty());
}

TEST(PlotFile, writes_the_script_where_there_is_no_gnuplot) {
  const TemporaryFolder folder;
  const Variable path("PATH", folder.path());
  PlotFile(folder.file("plot.gp")).write(kBars);
  EXPECT_EQ(contents(folder.file("plot.gp")), gnuplot_script(kBars, PlotFormat::kSvg, "plot.svg"));
  EXPECT_THAT([&] { PlotFile(folder.file("plot.svg")); },
              ThrowsMessage<Error>(AllOf(HasSubstr("no gnuplot in PATH"), HasSubstr("gnuplot-nox"),
                                         HasSubstr("plot.gp writes its script alone"))));
  EXPECT_THAT(folder.names(), testing::ElementsAre("plot.gp"));
}

TEST(PlotFile, keeps_an_old_file_where_gnuplot_fails) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("gnuplot")) << "#!/bin/sh\necho it has no such terminal >&2\nexit 1\n";
  fs::permissions(folder.file("gnuplot"), fs::perms::owner_all);
  std::ofstream(folder.file("plot.svg")) << "old";
  const Variable path("PATH", folder.path());
  EXPECT_THAT([&] { PlotFile(folder.file("plot.svg")).write(kBars); },
              ThrowsMessage<Error>(HasSubstr("ended with exit status 1: it has no such terminal")));
  EXPECT_EQ(contents(folder.file("plot.svg")), "old");
}

TEST(PlotFile, writes_nothing_without_charts) {
  const TemporaryFolder folder;
  PlotFile(folder.file("plot.svg")).write(std::vector<BarChart>{});
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(PlotFile, refuses_names_that_say_no_kind) {
  for (const char* name : {"plot", "plot.jpg", ".svg"})
    EXPECT_THAT([&] { PlotFile{name}; }, ThrowsMessage<Error>(HasSubstr("expected FILE.svg, FILE.png or FILE.pdf")));
}

}  // namespace
}  // namespace meshmul::cli
