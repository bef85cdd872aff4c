// Kills and stops ranks of the real program, and the program itself, at random moments from its first to after its last:
// every run ends with the right result or an error that names the rank, nothing stays behind, and the next run works.
// MESHMUL_DEATHS=1000 makes it thorough.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>
#include <vector>

#include "base/temporary_folder.hpp"
#include "deaths.hpp"
#include "rank_processes.hpp"

namespace meshmul {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kNumRanks = 3;
// Many times what a run takes: none may hang.
constexpr std::chrono::seconds kLongest{60};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// `meshmul run` with its files in folders of its own. What it leaves becomes a child of the test, in the session of the test,
/// so that the kernel does not take stopped ranks for orphans, which it would end.
class Program {
 public:
  explicit Program(const std::vector<std::string>& more = {}) {
    for (const char* name : {"work", "temporary", "said"}) std::filesystem::create_directory(folder_.file(name));
    std::vector<std::string> words{"meshmul",   "run",       "A[I=200_X, J=200] * B[J_X, K=200] -> C[I_X, K]",
                                   "--mesh",    "X=3",       "--random",
                                   "--backend", "processes", "--kernels",
                                   "reference", "--output",  "c.npy"};
    words.insert(words.end(), more.begin(), more.end());
    start(words);
  }
  ~Program() {
    kill(id_, SIGKILL);
    while (waitpid(-1, nullptr, 0) > 0) continue;
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t id() const { return id_; }
  std::optional<Victim> rank(int rank) const {
    const auto ranks = rank_processes(id_);
    const auto found = ranks.find(rank);
    if (found == ranks.end()) return std::nullopt;
    return Victim(found->second);
  }
  /// As waitpid gives it; it stays.
  bool has_ended() {
    if (!ended_) ended_ = waitpid(id_, &status_, WNOHANG) == id_;
    return ended_;
  }
  int status() const { return status_; }
  std::string errors() const { return read_file(folder_.file("said/errors")); }
  std::string output() const { return read_file(folder_.file("work/c.npy")); }
  /// What no run may leave: files other than the output.
  std::vector<std::string> leftovers() const {
    std::vector<std::string> names;
    for (const char* folder : {"work", "temporary"})
      for (const auto& entry : std::filesystem::directory_iterator(folder_.file(folder)))
        if (entry.path().filename() != "c.npy") names.push_back(entry.path());
    return names;
  }

 private:
  void start(std::vector<std::string>& words) {
    std::vector<char*> argv, environment;
    for (std::string& word : words) argv.push_back(word.data());
    std::string temporary = "TMPDIR=" + folder_.file("temporary");
    environment.push_back(temporary.data());
    for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
    argv.push_back(nullptr);
    environment.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const std::string errors = folder_.file("said/errors"), work = folder_.file("work");
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, work.c_str());
    EXPECT_EQ(posix_spawn(&id_, MESHMUL_PROGRAM, &actions, nullptr, argv.data(), environment.data()), 0);
    posix_spawn_file_actions_destroy(&actions);
  }

  TemporaryFolder folder_;
  pid_t id_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

class ProgramDeaths : public ::testing::Test {
 protected:
  ProgramDeaths() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);  // what a program leaves becomes a child of the test
    measure();
  }

  // How long a program and its ranks live, and what the right result is.
  void measure() {
    const auto begin = steady_clock::now();
    Program program;
    std::optional<steady_clock::time_point> first_seen, last_seen;
    while (!program.has_ended()) {
      if (!program.rank(0)) continue;
      last_seen = steady_clock::now();
      if (!first_seen) first_seen = last_seen;
    }
    ASSERT_TRUE(first_seen.has_value());
    program_life_ = std::chrono::duration_cast<microseconds>(steady_clock::now() - begin);
    rank_life_ = std::chrono::duration_cast<microseconds>(*last_seen - *first_seen);
    ASSERT_EQ(program.status(), 0) << program.errors();
    right_ = program.output();
  }

  void expect_end(Program& program) {
    const auto give_up = steady_clock::now() + kLongest;
    while (!program.has_ended() && steady_clock::now() < give_up) std::this_thread::sleep_for(microseconds(500));
    ASSERT_TRUE(program.has_ended()) << "it hangs: " << program.errors();
  }

  /// No process of the program is left, whoever waits for it, and no file, with a name or without.
  void expect_nothing_left(const Program& program) {
    EXPECT_TRUE(eventually([] {
      pid_t ended = 0;
      while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) continue;
      return ended == -1 && errno == ECHILD;  // 0: one lives
    })) << "a process is left";
    EXPECT_THAT(program.leftovers(), IsEmpty());
    EXPECT_EQ(count_names("/dev/shm", "meshmul"), named_memory_) << "shared memory with a name is left";
  }

  /// The program ended well, or failed with an error that says what befell `victim`.
  std::string expect_result_or_error(Program& program, const Death& death, int rank,
                                     const std::optional<Victim>& victim) {
    expect_end(program);
    EXPECT_TRUE(WIFEXITED(program.status())) << program.status();
    if (WEXITSTATUS(program.status()) == 0) {
      EXPECT_EQ(program.output(), right_);
      return "right";
    }
    EXPECT_EQ(WEXITSTATUS(program.status()), 3) << program.errors();
    EXPECT_EQ(program.output(), "") << "a run that failed has no result";
    const std::string error = program.errors();
    const std::string what =
        death.signal == SIGKILL ? "was killed by SIGKILL" : "is stopped by a signal such as SIGSTOP";
    EXPECT_THAT(error, HasSubstr(fmt::format("rank {} (process {}) {}", rank, victim ? victim->id() : 0, what)));
    if (error.find("while it was started") != std::string::npos) return "error in the start";
    if (error.find("outside of a run") != std::string::npos) return "error outside of a run";
    EXPECT_THAT(error, AllOf(HasSubstr("at lane "), HasSubstr(", op ")));
    return "error with lane and op";
  }

  void expect_that_the_next_run_works() {
    Program next;
    expect_end(next);
    EXPECT_EQ(next.status(), 0) << next.errors();
    EXPECT_EQ(next.output(), right_);
    expect_nothing_left(next);
  }

  microseconds program_life_{0}, rank_life_{0};
  std::string right_;
  int named_memory_ = count_names("/dev/shm", "meshmul");  // whoever left it
};

TEST_F(ProgramDeaths, ARankThatDiesAtAnyMomentIsNamedOrTheResultIsRight) {
  Deaths deaths(40);
  for (int i = 0; i < deaths.count() && !HasFailure(); ++i) {
    const Death death = deaths.next(rank_life_);
    const auto rank = static_cast<int>(deaths.below(kNumRanks));
    SCOPED_TRACE(fmt::format("death {}: rank {} {} after {} us", i, rank, death.name(), death.delay.count()));
    // Only a stopped rank makes a run wait for its deadline.
    Program program(death.signal == SIGSTOP ? std::vector<std::string>{"--deadline", "500ms"}
                                            : std::vector<std::string>{});
    std::optional<Victim> victim;
    while (!victim && !program.has_ended()) victim = program.rank(rank);
    std::this_thread::sleep_for(death.delay);
    if (victim) victim->send(death.signal);
    const std::string outcome = expect_result_or_error(program, death, rank, victim);
    expect_nothing_left(program);
    deaths.note(fmt::format("rank {}: {}", death.name(), outcome));
    expect_that_the_next_run_works();
  }
}

TEST_F(ProgramDeaths, ARankThatIsStoppedEndsWithItsLauncher) {
  Program program;
  std::optional<Victim> victim;
  while (!victim && !program.has_ended()) victim = program.rank(1);
  kill(program.id(), SIGSTOP);                                 // then no rank comes to its end
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // a rank has begun its work
  ASSERT_TRUE(victim);
  victim->send(SIGSTOP);
  EXPECT_TRUE(eventually([&] { return state_of(victim->id()) == 'T'; }));
  kill(program.id(), SIGKILL);
  expect_end(program);
  expect_nothing_left(program);
  victim->send(SIGKILL);  // who is left after all would let the test wait for ever
}

TEST_F(ProgramDeaths, ALauncherThatDiesAtAnyMomentLeavesNothing) {
  Deaths deaths(20);
  for (int i = 0; i < deaths.count() && !HasFailure(); ++i) {
    const Death death = deaths.next(program_life_);
    SCOPED_TRACE(fmt::format("death {}: launcher {} after {} us", i, death.name(), death.delay.count()));
    Program program;
    std::this_thread::sleep_for(death.delay);
    kill(program.id(), death.signal);
    std::string what = death.name();
    if (death.signal == SIGSTOP) {
      std::this_thread::sleep_for(microseconds(deaths.below(100'000)));
      const int then = deaths.below(2) == 0 ? SIGKILL : SIGCONT;
      what += then == SIGKILL ? ", then killed" : ", then continued";
      kill(program.id(), then);
    }
    expect_end(program);
    EXPECT_TRUE(WIFSIGNALED(program.status()) || program.status() == 0) << program.errors();
    // Whoever dies as the last thing it does leaves a result, and a whole one.
    if (!program.output().empty() || program.status() == 0) {
      EXPECT_EQ(program.output(), right_);
    }
    expect_nothing_left(program);
    deaths.note(fmt::format("launcher {}: {}", what, program.output().empty() ? "no result" : "right"));
    expect_that_the_next_run_works();
  }
}

}  // namespace
}  // namespace meshmul
