// Runs the commands of tests/golden/cli/*.txt with the real program. A new case needs a new file or a few more lines:
//
//     # what the case shows
//     $ meshmul plan 'A[I] -> B' --mesh X=2
//     exit 2
//     > a line of standard output
//     ! a line of standard error
//
// The commands of a file run one after the other, in a shell, in an empty folder of their own; $EXAMPLES is examples/. What is not written is
// expected to be empty, and the exit code 0. `…` in a line stands for any text, alone on a line for any lines.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"
#include "support/tests_folder.hpp"

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

struct Command {
  std::string text;
  int exit_code = 0;
  Lines output, errors;
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Command> parse_commands(const fs::path& path) {
  std::vector<Command> commands;
  for (const std::string& line : lines_of(read_file(path))) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    if (line.starts_with("$ "))
      commands.push_back({rest, 0, {}, {}});
    else if (commands.empty())
      throw std::runtime_error("before the first command: " + line);
    else if (line.starts_with("exit "))
      commands.back().exit_code = std::stoi(line.substr(5));
    else if (line.starts_with('>'))
      commands.back().output.push_back(rest);
    else if (line.starts_with('!'))
      commands.back().errors.push_back(rest);
    else
      throw std::runtime_error("neither command, exit code, output nor error: " + line);
  }
  return commands;
}

/// Whether items expected from `e` on match items found from `f` on, where `is_any` items match any run of items.
template <class Items, class IsAny, class Same>
bool match(const Items& expected, std::size_t e, const Items& found, std::size_t f, const IsAny& is_any,
           const Same& same) {
  if (e == expected.size()) return f == found.size();
  if (is_any(expected[e]))
    return match(expected, e + 1, found, f, is_any, same) ||
           (f < found.size() && match(expected, e, found, f + 1, is_any, same));
  return f < found.size() && same(expected[e], found[f]) && match(expected, e + 1, found, f + 1, is_any, same);
}

constexpr char kAny = '\x01';  // one byte that stands for `…` within a line

bool line_matches(std::string expected, const std::string& found) {
  for (std::size_t at = 0; (at = expected.find("…", at)) != std::string::npos;)
    expected.replace(at, std::string("…").size(), 1, kAny);
  return match(expected, 0, found, 0, [](char c) { return c == kAny; }, std::equal_to<char>());
}

bool lines_match(const Lines& expected, const Lines& found) {
  return match(expected, 0, found, 0, [](const std::string& line) { return line == "…"; }, line_matches);
}

Command run_in(const fs::path& work, const fs::path& logs, const std::string& text) {
  std::ofstream(logs / "command") << text << "\n";
  const fs::path examples = meshmul::testing::tests_folder().parent_path() / "examples";
  const std::string line = "cd '" + work.string() + "' && EXAMPLES='" + examples.string() + "' PATH='" +
                           fs::path(MESHMUL_PROGRAM).parent_path().string() + "':$PATH sh '" +
                           (logs / "command").string() + "' </dev/null >'" + (logs / "output").string() + "' 2>'" +
                           (logs / "errors").string() + "'";
  const int status = std::system(line.c_str());
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1, lines_of(read_file(logs / "output")),
          lines_of(read_file(logs / "errors"))};
}

/// As it would stand in the golden file.
std::string to_string(const Command& command) {
  std::string text = "$ " + command.text + "\n";
  if (command.exit_code != 0) text += "exit " + std::to_string(command.exit_code) + "\n";
  for (const std::string& line : command.output) text += line.empty() ? ">\n" : "> " + line + "\n";
  for (const std::string& line : command.errors) text += line.empty() ? "!\n" : "! " + line + "\n";
  return text;
}

class CommandLine : public testing::TestWithParam<fs::path> {};

TEST_P(CommandLine, answers_as_written) {
  const meshmul::TemporaryFolder work, logs;
  for (const Command& expected : parse_commands(GetParam())) {
    const Command found = run_in(work.path(), logs.path(), expected.text);
    const bool same = found.exit_code == expected.exit_code && lines_match(expected.output, found.output) &&
                      lines_match(expected.errors, found.errors);
    EXPECT_TRUE(same) << GetParam() << "\nexpected\n" << to_string(expected) << "\nfound\n" << to_string(found);
  }
}

std::vector<fs::path> golden_files() {
  std::vector<fs::path> files;
  const fs::path folder = meshmul::testing::tests_folder() / "golden/cli";
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(golden, CommandLine, testing::ValuesIn(golden_files()),
                         [](const auto& file) { return file.param.stem().string(); });

}  // namespace
