#include "base/child_process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/temporary_folder.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// What a shell says that carries out `script`, with `settings` besides.
std::string said_by(const std::string& script, ChildSettings settings = {}) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  settings.program = "sh";
  settings.arguments = {"-c", script};
  settings.descriptors.push_back({ends[1], STDOUT_FILENO});
  ChildProcess shell(settings);
  close(ends[1]);
  std::string text;
  std::array<char, 256> some{};
  for (ssize_t count = 0; (count = read(ends[0], some.data(), some.size())) > 0;)
    text.append(some.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  EXPECT_EQ(shell.wait_for_end(), "ended with exit status 0");
  return text;
}

TEST(ChildProcess, tells_how_it_ended) {
  EXPECT_EQ(ChildProcess({"sh", {"-c", "exit 3"}, {}, {}}).wait_for_end(), "ended with exit status 3");
  EXPECT_EQ(ChildProcess({"sh", {"-c", "kill -TERM $$"}, {}, {}}).wait_for_end(), "was killed by SIGTERM");
}

TEST(ChildProcess, lives_until_it_is_killed) {
  ChildProcess child({"sleep", {"1000"}, {}, {}});
  EXPECT_EQ(child.find_end(), std::nullopt);
  child.kill();
  EXPECT_EQ(child.wait_for_end(), "was killed by SIGKILL");
  EXPECT_EQ(child.find_end(), "was killed by SIGKILL");
}

TEST(ChildProcess, leaves_no_program_of_its_group_behind) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  {
    // Both hold the pipe open for writing.
    const ChildProcess child({"sh", {"-c", "sleep 1000 & echo begun; wait"}, {}, {{ends[1], STDOUT_FILENO}}});
    close(ends[1]);
    std::array<char, 6> word{};
    ASSERT_EQ(read(ends[0], word.data(), word.size()), static_cast<ssize_t>(word.size()));
  }
  char more = 0;
  EXPECT_EQ(read(ends[0], &more, 1), 0);
  close(ends[0]);
}

TEST(ChildProcess, gets_its_arguments_as_they_are) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ChildProcess child({"printf", {"%s", "a 'b' $HOME `c` \n"}, {}, {{ends[1], STDOUT_FILENO}}});
  close(ends[1]);
  std::array<char, 64> text{};
  const ssize_t count = read(ends[0], text.data(), text.size());
  close(ends[0]);
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(count)), "a 'b' $HOME `c` \n");
}

TEST(ChildProcess, has_the_variables_of_its_settings_in_the_place_of_others) {
  ASSERT_EQ(setenv("MESHMUL_TEST_OWN", "own", 1), 0);
  ASSERT_EQ(setenv("MESHMUL_TEST_OTHER", "other", 1), 0);
  EXPECT_EQ(said_by("echo $MESHMUL_TEST_OWN $MESHMUL_TEST_OTHER; env | grep -c MESHMUL_TEST",
                    {"", {}, {"MESHMUL_TEST_OTHER=given"}, {}}),
            "own given\n2\n");
}

TEST(ChildProcess, has_an_empty_input_and_no_other_descriptors) {
  std::array<int, 2> open{};
  ASSERT_EQ(pipe(open.data()), 0);
  EXPECT_EQ(said_by("cat; ls /proc/self/fd | wc -l"), "4\n");  // three, and the one by which ls reads the folder
  for (const int end : open) close(end);
}

TEST(ChildProcess, says_what_cannot_be_started) {
  EXPECT_THAT([] { ChildProcess({"no-such-program", {}, {}, {}}); },
              ThrowsMessage<Error>(HasSubstr("cannot start no-such-program: No such file")));
}

/// PATH, until it goes.
class Path {
 public:
  explicit Path(const std::string& folders) : before_(getenv("PATH")) { setenv("PATH", folders.c_str(), 1); }
  ~Path() { setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;

 private:
  std::string before_;
};

TEST(FindInPath, finds_the_first_that_can_be_run) {
  const TemporaryFolder first, second;
  std::ofstream(first.file("tool")) << "cannot be run";
  std::ofstream(second.file("tool")) << "can be run";
  fs::permissions(second.file("tool"), fs::perms::owner_all);
  fs::create_directory(first.file("folder"));
  const Path path("/no/such/folder:" + first.path().string() + ":" + second.path().string());
  EXPECT_EQ(find_in_path("tool"), second.path() / "tool");
  EXPECT_EQ(find_in_path("folder"), std::nullopt);
  EXPECT_EQ(find_in_path("sh"), std::nullopt);
}

}  // namespace
}  // namespace meshmul
