// Kills and stops ranks of a session of this process at random moments, from their first to after their last: the run or
// the opening fails with an error that names the rank, or the values are right, and after a reset the session works.
// MESHMUL_DEATHS=1000 makes it thorough.

#include <gmock/gmock.h>

#include <atomic>
#include <optional>
#include <thread>

#include "deaths.hpp"
#include "execute/long_schedules.hpp"
#include "meshmul/error.hpp"
#include "rank_processes.hpp"

namespace meshmul {
namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kNumRanks = 3;
constexpr int kRuns = 3;

/// Sends a signal to a rank once it is there, in a thread of its own, unless it goes before that.
class Killer {
 public:
  Killer(int rank, const Death& death)
      : thread_([this, rank, death](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            const auto ranks = rank_processes();
            const auto found = ranks.find(rank);
            if (found == ranks.end()) continue;
            const Victim victim(found->second);
            std::this_thread::sleep_for(death.delay);
            victim.send(death.signal);
            return;
          }
        }) {}

 private:
  std::jthread thread_;
};

class SessionDeaths : public ::testing::Test {
 protected:
  SessionDeaths() {
    const auto begin = steady_clock::now();
    open_and_run();
    life_ = std::chrono::duration_cast<microseconds>(steady_clock::now() - begin);
    files_ = count_names("/proc/self/fd", "");
  }

  static void run_and_check(Session& session) {
    for (int run = 0; run < kRuns; ++run) {
      const auto value = static_cast<float>(run);
      std::ranges::fill(elements(session, 0, 0), value);
      for (int rank = 1; rank < kNumRanks; ++rank) std::ranges::fill(elements(session, rank, 0), -1.0F);
      session.run();
      for (int rank = 0; rank < kNumRanks; ++rank) EXPECT_THAT(elements(session, rank, 0), Each(value));
    }
  }

  std::unique_ptr<Session> open() { return find_executor("processes")->open(schedule_, options_); }
  void open_and_run() { run_and_check(*open()); }

  ExecuteOptions options_{.deadline = std::chrono::milliseconds(500),
                          .seed = 0,
                          .poison = false,
                          .interrupted = {},
                          .kernels = "reference"};
  Schedule schedule_ = parse_schedule(many_hops(kNumRanks, 60 / MESHMUL_RANDOM_CASE_DIVISOR));
  microseconds life_{0};
  int files_ = 0;
};

TEST_F(SessionDeaths, ARankThatDiesAtAnyMomentIsNamedAndASessionWorksAfterIt) {
  Deaths deaths(40);
  for (int i = 0; i < deaths.count() && !HasFailure(); ++i) {
    const Death death = deaths.next(life_);
    const auto rank = static_cast<int>(deaths.below(kNumRanks));
    SCOPED_TRACE(fmt::format("death {}: rank {} {} after {} us", i, rank, death.name(), death.delay.count()));
    std::unique_ptr<Session> session;
    std::string outcome = "right";
    {
      const Killer killer(rank, death);
      try {
        session = open();
        run_and_check(*session);
      } catch (const Error& error) {
        outcome = session == nullptr ? "error in the start" : "error in a run";
        EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
        EXPECT_THAT(error.what(), HasSubstr(fmt::format("rank {} (process ", rank)));
        EXPECT_THAT(error.what(), AnyOf(HasSubstr("was killed by SIGKILL"), HasSubstr("is stopped by a signal")));
        EXPECT_THAT(rank_processes(), IsEmpty()) << "the others must be gone when an error is thrown";
      }
    }
    deaths.note(fmt::format("rank {}: {}", death.name(), outcome));
    if (session == nullptr) {
      open_and_run();
    } else {
      session->reset();
      run_and_check(*session);
    }
    session.reset();
    EXPECT_THAT(rank_processes(), IsEmpty());
    EXPECT_EQ(count_names("/proc/self/fd", ""), files_) << "memory without a name, a socket or a process is still held";
  }
}

}  // namespace
}  // namespace meshmul
