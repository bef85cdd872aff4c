// The controller over ranks whose products misbehave.

#include "execute/cpu/cpu_session.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <new>
#include <thread>

#include "execute/conformance_cases.hpp"
#include "execute/cpu/rank_loop.hpp"

namespace meshmul {
namespace {

using std::chrono::milliseconds;

/// What the products of the next crews do.
std::atomic<bool> throws = false;
std::atomic<bool> hangs = false;
/// Whether the ranks of the next crews find no memory.
std::atomic<bool> lacks_memory = false;

class WilfulProducts final : public LocalProductLibrary {
 public:
  std::string description() const override { return "wilful"; }
  void gemm(View c, ConstView a, ConstView b, const Einsum& einsum, bool accumulate) override {
    if (throws) throw std::bad_alloc();
    while (hangs) std::this_thread::sleep_for(milliseconds(1));
    plain_->gemm(c, a, b, einsum, accumulate);
  }

 private:
  std::unique_ptr<LocalProductLibrary> plain_ = make_local_products("reference");
};

/// Threads with those products; the end of the crew ends the hanging, as a kill would.
class WilfulCrew final : public Crew {
 public:
  explicit WilfulCrew(const CrewOrder& order) : memory_(order.memory) {
    for (int rank = 0; rank < memory_.num_ranks(); ++rank)
      threads_.emplace_back([this, rank, &schedule = order.schedule] {
        if (lacks_memory) return fail_rank(memory_, rank, "there is no memory", ErrorCode::kOutOfMemory);
        RankLoop({rank, schedule, memory_, false}, std::make_unique<WilfulProducts>()).serve();
      });
  }
  ~WilfulCrew() override {
    hangs = false;
    memory_.world().quit.store(true);
    memory_.ring_ranks();
  }
  std::optional<RankFate> find_dead() override { return std::nullopt; }
  std::optional<RankFate> find_stopped() override { return std::nullopt; }
  void before_run() override {}
  void after_run() override {}
  std::int64_t private_bytes(int) const override { return 0; }

 private:
  WorldMemory memory_;
  std::vector<std::jthread> threads_;
};

std::unique_ptr<CpuSession> open(const ConformanceCase& test) {
  const CpuBackend backend{
      [](std::int64_t num_bytes) { return MemoryMapping::anonymous(num_bytes); },
      [](const CrewOrder& order) -> std::unique_ptr<Crew> { return std::make_unique<WilfulCrew>(order); }, 0};
  ExecuteOptions options;
  options.deadline = milliseconds(500);
  options.kernels = "reference";
  return std::make_unique<CpuSession>(backend, schedule_of(test), options);
}

std::string message_of_run(Session& session) {
  try {
    session.run();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
    return error.what();
  }
  return "the run ended well";
}

class CpuSessionTest : public ::testing::Test {
 protected:
  ~CpuSessionTest() override { throws = hangs = lacks_memory = false; }
};

TEST_F(CpuSessionTest, AnExceptionOfAKernelFailsTheRunAndNamesRankAndOp) {
  throws = true;
  const auto session = open(products_read_peers_in_place(1));
  EXPECT_EQ(message_of_run(*session),
            "rank 0 failed at lane compute, op 0 (line 11): gemm out.c[0:2, 0:2] in.a[0:2, 0:3] in.b[0:3, 0:2] "
            "ij,jk->ik: std::bad_alloc");
}

TEST_F(CpuSessionTest, AllRanksReturnWhenAllThrow) {
  throws = true;
  const auto session = open(products_read_peers_in_place(16));
  EXPECT_THAT(message_of_run(*session),
              ::testing::ContainsRegex("^rank [0-9]+ failed at lane compute, op 0 .*bad_alloc$"));
}

TEST_F(CpuSessionTest, ResetGivesAWorldThatRunsAgain) {
  throws = true;
  const ConformanceCase test = products_read_peers_in_place(3);
  const auto session = open(test);
  const std::string first = message_of_run(*session);
  throws = false;
  EXPECT_EQ(message_of_run(*session), first);
  session->reset();
  for (int rank = 0; rank < 3; ++rank)
    for (const int buffer : {0, 1})
      for (int i = 0; i < 6; ++i)
        elements(*session, rank, buffer)[static_cast<std::size_t>(i)] =
            test.value(buffer == 0 ? "in.a" : "in.b", rank, 0, i);
  session->run();
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(elements(*session, 1, 2)[static_cast<std::size_t>(i)], test.value("out.c", 1, 0, i));
}

TEST_F(CpuSessionTest, ARankThatFindsNoMemoryWhileItStartsIsAnErrorOfThatKind) {
  lacks_memory = true;
  try {
    open(gets_from_all(1));
    ADD_FAILURE() << "the session was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_STREQ(error.what(), "rank 0 failed while it was started: there is no memory");
  }
}

TEST_F(CpuSessionTest, AnOpThatDoesNotEndIsNamedAfterTheDeadline) {
  hangs = true;
  const auto session = open(products_read_peers_in_place(2));
  EXPECT_EQ(message_of_run(*session),
            "no rank made progress for 500 ms: rank 0 does not get past lane compute, op 0 (line 11): gemm "
            "out.c[0:2, 0:2] in.a[0:2, 0:3] in.b@1[0:3, 0:2] ij,jk->ik");
}

TEST_F(CpuSessionTest, AnExceptionOfTheInterruptedFunctionEndsTheRanksToo) {
  hangs = true;
  ExecuteOptions options;
  options.kernels = "reference";
  options.interrupted = []() -> bool { throw std::runtime_error("a key was pressed"); };
  const CpuBackend backend{
      [](std::int64_t num_bytes) { return MemoryMapping::anonymous(num_bytes); },
      [](const CrewOrder& order) -> std::unique_ptr<Crew> { return std::make_unique<WilfulCrew>(order); }, 0};
  EXPECT_THROW(CpuSession(backend, schedule_of(products_read_peers_in_place(2)), options).run(), std::runtime_error);
}

TEST_F(CpuSessionTest, ReportsSecondsAndBytesOfEveryRank) {
  const auto session = open(gets_from_all(3));
  const RunReport report = session->run();
  EXPECT_GT(report.seconds, 0);
  EXPECT_THAT(report.peak_bytes, ::testing::ElementsAre(32, 32, 32));
  EXPECT_THAT(report.kernels, ::testing::HasSubstr("eference"));
}

}  // namespace
}  // namespace meshmul
