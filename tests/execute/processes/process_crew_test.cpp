// Ranks that are killed or stopped, and launchers that are: no run hangs, no process stays behind, the next run works.

#include <gmock/gmock.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "execute/cpu/file_descriptor.hpp"
#include "execute/long_schedules.hpp"
#include "meshmul/error.hpp"
#include "rank_processes.hpp"

namespace meshmul {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class ProcessCrewTest : public ::testing::Test {
 protected:
  ProcessCrewTest() { options_.kernels = "reference"; }
  ~ProcessCrewTest() override {
    unsetenv("MESHMUL_RANK_PROGRAM");
    EXPECT_THAT(rank_processes(), IsEmpty()) << "a rank was left behind";
  }

  std::unique_ptr<Session> open(const std::string& text) {
    auto session = find_executor("processes")->open(parse_schedule(text), options_);
    opened_ = true;
    return session;
  }

  /// Calls `act` once, at the `count`th look of the controller during a run.
  template <class Act>
  void at_look(int count, Act act) {
    options_.interrupted = [this, count, act, looks = 0]() mutable {
      if (opened_ && ++looks == count) act();
      return false;
    };
  }

  ExecuteOptions options_;
  bool opened_ = false;
};

Error failure_of(Session& session) {
  try {
    session.run();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "the run ended well";
  return {ErrorCode::kMachine, ""};
}

/// Runs `num_products` products in `session`, which must be new, and checks them.
void expect_that_it_works(Session& session, int num_ranks, int num_products) {
  for (int rank = 0; rank < num_ranks; ++rank) {
    std::ranges::fill(elements(session, rank, 0), 1.0F);
    std::ranges::fill(elements(session, rank, 1), 2.0F);
  }
  session.run();
  for (int rank = 0; rank < num_ranks; ++rank)
    EXPECT_THAT(elements(session, rank, 2), Each(kProductSize * 2.0F * static_cast<float>(num_products)));
}

TEST_F(ProcessCrewTest, ARankThatIsKilledInAWaitIsNamedWithSignalAndOp) {
  pid_t victim = 0;
  at_look(10, [&] {  // by then the rank is in its second wait
    victim = rank_processes().at(0);
    kill(victim, SIGKILL);
  });
  const auto session = open(one_raise_short());
  const Error error = failure_of(*session);
  EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
  EXPECT_EQ(error.what(), fmt::format("rank 0 (process {}) was killed by SIGKILL at lane compute, op 1 (line 9): wait "
                                      "come >= 2, signal come: expected 2, seen 1",
                                      victim));
  EXPECT_THAT(rank_processes(), IsEmpty()) << "the others must be gone when the run has thrown";
}

TEST_F(ProcessCrewTest, ARankThatIsKilledAtAnyMomentIsNamed) {
  const std::string text = many_products(3, kManyProducts, Ending::kNever);
  for (const int look : {1, 2, 4, 8}) {
    opened_ = false;
    at_look(look, [] { kill(rank_processes().at(2), SIGABRT); });
    const auto session = open(text);
    EXPECT_THAT(failure_of(*session).what(),
                AllOf(StartsWith("rank 2 (process "), HasSubstr("was killed by SIGABRT at lane compute, op")));
  }
}

TEST_F(ProcessCrewTest, ResetAfterAKilledRankGivesASessionThatWorks) {
  at_look(1, [] { kill(rank_processes().at(1), SIGKILL); });
  const auto session = open(many_products(2, kManyProducts));
  EXPECT_THAT(failure_of(*session).what(), HasSubstr("was killed by SIGKILL at lane compute"));
  session->reset();
  expect_that_it_works(*session, 2, kManyProducts);
}

TEST_F(ProcessCrewTest, ARankThatIsKilledBetweenRunsFailsTheNext) {
  const auto session = open(many_products(2, 1));
  expect_that_it_works(*session, 2, 1);
  kill(rank_processes().at(1), SIGKILL);
  const Error error = failure_of(*session);
  EXPECT_THAT(error.what(), HasSubstr("was killed by SIGKILL outside of a run"));
  EXPECT_STREQ(failure_of(*session).what(), error.what());
  session->reset();
  expect_that_it_works(*session, 2, 1);
}

TEST_F(ProcessCrewTest, ARankThatIsStoppedIsNamedAfterTheDeadline) {
  options_.deadline = std::chrono::milliseconds(500);
  at_look(10, [] { kill(rank_processes().at(0), SIGSTOP); });
  const auto session = open(one_raise_short());
  EXPECT_THAT(
      failure_of(*session).what(),
      AllOf(StartsWith("no rank made progress for 500 ms: rank 0 (process "),
            HasSubstr("is stopped by a signal such as SIGSTOP at lane compute, op 1 (line 9): wait come >= 2")));
  session->reset();
}

TEST_F(ProcessCrewTest, AProgramThatEndsAtOnceIsNoRank) {
  setenv("MESHMUL_RANK_PROGRAM", "/bin/false", 1);
  try {
    open(one_raise_short());
    ADD_FAILURE() << "the session was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
    EXPECT_THAT(error.what(),
                ::testing::ContainsRegex("^rank [01] .process [0-9]+. ended with exit status 1 while it was started"));
  }
}

TEST_F(ProcessCrewTest, AProgramThatCannotBeStartedIsNamed) {
  setenv("MESHMUL_RANK_PROGRAM", "/proc/self", 1);  // a folder: it may be entered, not started
  try {
    open(one_raise_short());
    ADD_FAILURE() << "the session was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMachine);
    EXPECT_STREQ(error.what(), "cannot start /proc/self: Permission denied");
  }
}

TEST_F(ProcessCrewTest, ASessionThatFailedToResetSaysSoAndCanBeResetAgain) {
  const auto session = open(many_products(2, 1));
  setenv("MESHMUL_RANK_PROGRAM", "/no/such/program", 1);
  EXPECT_THROW(session->reset(), Error);
  EXPECT_THAT(failure_of(*session).what(), HasSubstr("looked at /no/such/program"));
  unsetenv("MESHMUL_RANK_PROGRAM");
  session->reset();
  expect_that_it_works(*session, 2, 1);
}

TEST_F(ProcessCrewTest, RanksAreOutOfReachOfTheTerminalAndInheritNothing) {
  const FileDescriptor other(dup(STDERR_FILENO));  // stays open in programs that are started carelessly
  const auto session = open(one_raise_short());
  const auto ranks = rank_processes();
  ASSERT_EQ(ranks.size(), 2U);
  for (const auto& [rank, id] : ranks) {
    EXPECT_NE(getpgid(id), getpgid(0));
    // Three standard ones, the socket, the memory, and the launcher; no copy of `other`.
    const std::filesystem::path folder = fmt::format("/proc/{}/fd", id);
    int copies = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (std::filesystem::read_symlink(entry.path()) == std::filesystem::read_symlink("/proc/self/fd/2")) ++copies;
    EXPECT_LE(copies, 2);
    EXPECT_EQ(std::filesystem::read_symlink(folder / "0"), "/dev/null");
  }
}

TEST_F(ProcessCrewTest, WorksInAProgramThatIgnoresItsChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  {
    at_look(1, [] { kill(rank_processes().at(0), SIGKILL); });
    const auto session = open(one_raise_short());
    EXPECT_THAT(failure_of(*session).what(), HasSubstr("ended, and another part of this program took its exit status"));
    session->reset();
  }
  std::signal(SIGCHLD, before);
}

TEST_F(ProcessCrewTest, EachRankCountsItsBuffersAndItsOwnMemory) {
  const auto session = open(many_products(2, 1));
  constexpr std::int64_t kBuffers = 3 * 4 * kProductSize * kProductSize;
  constexpr std::int64_t kSmall = std::int64_t{1} << 16, kLarge = std::int64_t{1} << 30;
  for (const std::int64_t bytes : session->run().peak_bytes) {
    EXPECT_GE(bytes, kBuffers + kSmall);
    EXPECT_LE(bytes, kBuffers + kLarge);
  }
}

/// Bytes after `key` in the status of a process.
std::int64_t status_bytes(pid_t id, const std::string& key) {
  std::ifstream status(fmt::format("/proc/{}/status", id));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":")) return std::atoll(line.c_str() + key.size() + 1) * 1024;
  return -1;
}

TEST_F(ProcessCrewTest, PrivateBuffersLieInMemoryOfTheRankAlone) {
  constexpr std::int64_t kLarge = 32 << 20, kSmall = 1 << 20;
  const auto session = open(header(2) + fmt::format("buffer private f32 [{}] private\n", kLarge / 4) +
                            "buffer shared f32 [1] symmetric\n");
  for (const auto& [rank, id] : rank_processes()) {
    EXPECT_GE(status_bytes(id, "RssAnon"), kLarge);
    EXPECT_LE(status_bytes(id, "RssShmem"), kSmall);
  }
  int num_files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    if (!std::filesystem::read_symlink(entry.path(), gone).string().starts_with("/memfd:meshmul")) continue;
    ++num_files;
    EXPECT_LE(std::filesystem::file_size(entry.path()), kSmall);
  }
  EXPECT_EQ(num_files, 1);
}

/// A process that opens a session, runs `in_launcher`, and sleeps. Returns its number once its ranks are there.
template <class InLauncher>
pid_t start_launcher(const ExecuteOptions& options, InLauncher in_launcher) {
  const pid_t launcher = fork();
  if (launcher == 0) {
    try {
      const auto session = find_executor("processes")->open(parse_schedule(many_products(2, 1)), options);
      in_launcher();
      pause();
    } catch (const std::exception&) {
    }
    _exit(EXIT_FAILURE);
  }
  EXPECT_TRUE(eventually([&] { return rank_processes(launcher).size() == 2; }));
  return launcher;
}

void expect_gone_with(pid_t launcher, const std::map<int, pid_t>& ranks) {
  kill(launcher, SIGKILL);
  waitpid(launcher, nullptr, 0);
  for (const auto& [rank, id] : ranks) {
    // Whoever inherits the orphan may be slow to wait for it.
    const auto is_gone = [process = id] { return state_of(process) == 'X' || state_of(process) == 'Z'; };
    EXPECT_TRUE(eventually(is_gone)) << "rank " << rank << " outlived its launcher";
  }
}

TEST_F(ProcessCrewTest, RanksEndWithTheirLauncher) {
  const pid_t launcher = start_launcher(options_, [] {});
  expect_gone_with(launcher, rank_processes(launcher));
}

TEST_F(ProcessCrewTest, RanksEndWithTheirLauncherThoughItsSocketsLiveOnInAFork) {
  // The copy of the launcher ends with the pipe whose other end this test holds.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t launcher = start_launcher(options_, [&] {
    if (fork() == 0) {
      close(ends[1]);
      char nothing = 0;
      while (read(ends[0], &nothing, 1) < 0) continue;
      _exit(EXIT_SUCCESS);
    }
  });
  expect_gone_with(launcher, rank_processes(launcher));
  close(ends[1]);
  close(ends[0]);
}

TEST_F(ProcessCrewTest, EvenARankThatIsStoppedEndsWithItsLauncher) {
  const pid_t launcher = start_launcher(options_, [] {});
  const auto ranks = rank_processes(launcher);
  kill(ranks.at(1), SIGSTOP);
  EXPECT_TRUE(eventually([&] { return state_of(ranks.at(1)) == 'T'; }));
  expect_gone_with(launcher, ranks);
}

}  // namespace
}  // namespace meshmul
