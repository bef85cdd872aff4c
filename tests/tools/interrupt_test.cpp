// Interrupts runs of the real program, as a terminal does and as a supervisor does: it ends with the right exit code,
// and leaves no process and no file behind.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/temporary_folder.hpp"

namespace {

/// The program on a terminal of its own, in an empty folder. What it starts and leaves behind becomes a child of the
/// test.
class Program {
 public:
  explicit Program(std::vector<std::string> arguments) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    arguments.insert(arguments.begin(), MESHMUL_PROGRAM);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    process_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (process_ == 0) {
      if (chdir(folder_.path().c_str()) == 0) execv(argv[0], argv.data());
      _exit(127);
    }
  }
  ~Program() {
    kill(process_, SIGKILL);
    while (waitpid(-1, nullptr, 0) > 0) {
    }
    close(terminal_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Reads the terminal until `text` stands there or the program ends.
  bool shows(const std::string& text) {
    char block[256];
    ssize_t n = 0;
    while (seen_.find(text) == std::string::npos && (n = read(terminal_, block, sizeof block)) > 0)
      seen_.append(block, static_cast<std::size_t>(n));
    return seen_.find(text) != std::string::npos;
  }
  /// What a terminal does: SIGINT for every process in it.
  void press_control_c() { ASSERT_EQ(write(terminal_, "\x03", 1), 1); }
  void send(int signal) { kill(process_, signal); }

  /// Of whichever thread has started it; 0 if there is none.
  pid_t some_child() {
    const std::string tasks = "/proc/" + std::to_string(process_) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks)) {
      pid_t child = 0;
      if (std::ifstream(task.path() / "children") >> child) return child;
    }
    return 0;
  }

  int exit_code() {
    shows("\x04");  // until the end
    int status = 0;
    waitpid(process_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  bool left_processes() { return waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD; }
  bool left_files() { return !folder_.names().empty(); }
  const std::string& seen() const { return seen_; }

 private:
  meshmul::TemporaryFolder folder_;
  pid_t process_ = -1;
  int terminal_ = -1;
  std::string seen_;
};

/// A product that takes seconds at least, whatever the machine.
std::vector<std::string> long_run(const std::string& backend) {
  return {"run",       "A[I=4000_X, J=4000] * B[J, K=4000] -> C[I_X, K]",
          "--mesh",    "X=2",
          "--random",  "--kernels",
          "reference", "--backend",
          backend,     "--output",
          "c.npy"};
}

class Interrupt : public testing::TestWithParam<const char*> {};

TEST_P(Interrupt, control_c_ends_a_run_with_130_and_leaves_nothing) {
  Program program(long_run(GetParam()));
  ASSERT_TRUE(program.shows("running")) << program.seen();
  program.press_control_c();
  EXPECT_EQ(program.exit_code(), 130) << program.seen();
  EXPECT_TRUE(program.shows("the run was interrupted")) << program.seen();
  EXPECT_FALSE(program.left_processes());
  EXPECT_FALSE(program.left_files());
}

TEST_P(Interrupt, sigterm_ends_a_run_with_143_and_leaves_nothing) {
  Program program(long_run(GetParam()));
  ASSERT_TRUE(program.shows("running")) << program.seen();
  program.send(SIGTERM);
  EXPECT_EQ(program.exit_code(), 143) << program.seen();
  EXPECT_TRUE(program.shows("the run was interrupted")) << program.seen();
  EXPECT_FALSE(program.left_processes());
  EXPECT_FALSE(program.left_files());
}

TEST_P(Interrupt, second_control_c_ends_the_program_at_once) {
  Program program(long_run(GetParam()));
  ASSERT_TRUE(program.shows("running")) << program.seen();
  program.press_control_c();
  program.press_control_c();
  EXPECT_EQ(program.exit_code(), 130) << program.seen();
  EXPECT_TRUE(program.shows("the run was interrupted")) << program.seen();
  EXPECT_FALSE(program.left_files());
}

TEST(Failure, rank_that_is_killed_ends_the_run_with_3_and_leaves_nothing) {
  Program program(long_run("processes"));
  ASSERT_TRUE(program.shows("running")) << program.seen();
  const pid_t rank = program.some_child();
  ASSERT_GT(rank, 1) << "a signal to no process in particular would go to many";
  kill(rank, SIGKILL);
  EXPECT_EQ(program.exit_code(), 3) << program.seen();
  EXPECT_TRUE(program.shows("was killed by SIGKILL")) << program.seen();
  EXPECT_FALSE(program.left_processes());
  EXPECT_FALSE(program.left_files());
}

INSTANTIATE_TEST_SUITE_P(backends, Interrupt, testing::Values("reference", "threads", "processes"),
                         [](const auto& backend) { return std::string(backend.param); });

}  // namespace
