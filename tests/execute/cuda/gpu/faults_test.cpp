// Faults that others met where communication and products run at once (docs/cuda-faults.md), sought on GPUs: ranks that are
// late or have nothing, many runs without the host between them, sessions beside each other, machines that are too small.

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/lower_program.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/program_plan.hpp"
#include "meshmul/tune.hpp"
#include "support/error_of.hpp"
#include "support/run_program.hpp"
#include "support/run_schedule.hpp"

namespace meshmul::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const Executor& cuda() {
  const Executor* executor = find_executor("cuda");
  if (executor == nullptr) throw std::runtime_error("these tests need a GPU of compute capability 9.0");
  return *executor;
}

ExecuteOptions with_poison() {
  ExecuteOptions options;
  options.poison = true;
  options.deadline = std::chrono::seconds(5);
  return options;
}

/// A product of one tile by plain loops, so that one warp alone does it: some milliseconds, beside which nothing else is
/// slower.
constexpr std::int64_t kLate = 1 << 15, kVeryLate = 1 << 18;

/// `schedule` with a rank that is late: none of its lanes begins before such a product of it is done.
Schedule with_late_rank(Schedule schedule, int rank, std::int64_t contracted = kLate) {
  const auto add = [&](const char* name, Shape shape) {
    const Box whole = Box::whole(shape);
    schedule.buffers.push_back({name, Dtype::kF32, std::move(shape), false});
    return Region{rank, static_cast<int>(schedule.buffers.size()) - 1, whole};
  };
  const Region c = add("late.c", {2, 32}), a = add("late.a", {2, contracted}), b = add("late.b", {contracted, 32});
  const auto late = static_cast<int>(schedule.signals.size());
  schedule.signals.push_back({"late"});
  std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
  for (Lane& lane : lanes) {
    lane.ops.insert(lane.ops.begin(), Wait{late, 1});
    lane.lines.clear();
  }
  lanes.push_back({"late", {Gemm{c, a, b, "ik,kj->ij", false, {}}, Signal{rank, late}}});
  return schedule;
}

/// A session whose inputs must be the same after each run as before it.
class WithConstantInputs final : public Session {
 public:
  WithConstantInputs(std::unique_ptr<Session> session, const Schedule& schedule) : session_(std::move(session)) {
    for (const Holding& holding : schedule.contract.inputs) inputs_[{holding.region.rank, holding.region.buffer}] = {};
  }

  std::span<std::byte> buffer(int rank, int buffer) override { return session_->buffer(rank, buffer); }
  using Session::run;
  RunReport run(std::int64_t times) override {
    for (auto& [place, before] : inputs_) before = bytes(place);
    RunReport report = session_->run(times);
    for (const auto& [place, before] : inputs_)
      EXPECT_TRUE(bytes(place) == before) << "rank " << place.first << ", buffer " << place.second << " was written";
    return report;
  }
  std::optional<Timeline> timeline() const override { return session_->timeline(); }
  void reset() override { session_->reset(); }

 private:
  std::vector<std::byte> bytes(const std::pair<int, int>& place) {
    const std::span<std::byte> span = session_->buffer(place.first, place.second);
    return {span.begin(), span.end()};
  }

  std::unique_ptr<Session> session_;
  std::map<std::pair<int, int>, std::vector<std::byte>> inputs_;  // by rank and buffer
};

/// A statement, lowered by one design on both sides where its plan has something to overlap.
struct Built {
  Schedule schedule;
  bool overlaps = false;
};
Built built(const std::string& statement, const Mesh& mesh, Design design) {
  const Plan chosen = plan(parse_statement(statement, mesh), mesh, find_hardware("h200"));
  LowerOptions way;
  way.overlap.gather = way.overlap.reduce = design;
  try {
    way = applied(way, chosen);
  } catch (const Error&) {
    way = {};
  }
  return {legalize(lower(chosen, way), cuda().capabilities()), way.overlap.any()};
}
Schedule built(const std::string& statement, int num_ranks, Design design) {
  return built(statement, parse_mesh(fmt::format("X={}", num_ranks)), design).schedule;
}

constexpr const char* kGather = "bf16 A[M=96_X, K=64] * B[K, N=96_X] -> C[M, N_X]";
constexpr const char* kScatter = "bf16 A[M=96, K=96_X] * B[K_X, N=72] -> C[M_X, N]";
constexpr const char* kSum = "bf16 A[M=72, K=96_X] * B[K_X, N=72] -> C[M, N]";
constexpr Design kDesigns[] = {Design::kSequential, Design::kInPlace, Design::kPull,
                               Design::kPush,       Design::kRing,    Design::kRingBothWays};

std::string name_of_design(const ::testing::TestParamInfo<Design>& test) {
  std::string text(name(test.param));
  std::erase_if(text, [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) == 0; });
  return text;
}

class Designs : public ::testing::TestWithParam<Design> {};
INSTANTIATE_TEST_SUITE_P(Gpu, Designs, ::testing::ValuesIn(kDesigns), name_of_design);

// Missing waits and fences, order of launches -------------------------------------------------------------------------

TEST_P(Designs, WaitForWhoeverIsLate) {
  constexpr int kRanks = 3;
  for (const char* statement : {kGather, kScatter, kSum})
    for (int late = 0; late < kRanks; ++late) {
      SCOPED_TRACE(fmt::format("{}, rank {} is late", statement, late));
      const Schedule schedule = with_late_rank(built(statement, kRanks, GetParam()), late);
      WithConstantInputs session(cuda().open(schedule, with_poison()), schedule);
      for (std::uint64_t run = 0; run < 2; ++run) ASSERT_EQ(run_and_compare(session, schedule, run), "");
    }
}

/// Each rank counts its runs in `in.n`, brings the counts of all to each, and adds their products by ones to what the runs
/// before have left. A count that is read too early, or after it has been counted up again, is never made up for.
std::string counts_of_all(int num_ranks) {
  std::string text = fmt::format("meshmul schedule 1\nmesh X={}\nrequires barrier get\n", num_ranks);
  text += "buffer in.n bf16 [64, 64] symmetric\nbuffer in.one bf16 [64, 64] symmetric\n";
  text += fmt::format("buffer slot bf16 [{0}, 64] symmetric\nbuffer in.sum f32 [{0}, 64] symmetric\n", 64 * num_ranks);
  text += "signal got\n";
  for (int rank = 0; rank < num_ranks; ++rank) text += fmt::format("signal counted.{}\n", rank);
  for (int rank = 0; rank < num_ranks; ++rank) {
    text += fmt::format("rank {}\n  lane compute\n    map in.n[0:64, 0:64] add in.n[0:64, 0:64] in.one[0:64, 0:64]\n",
                        rank);
    for (int peer = 0; peer < num_ranks; ++peer) text += fmt::format("    signal {} counted.{}\n", peer, rank);
    for (int i = 1; i < num_ranks; ++i) {
      const int peer = (rank + i) % num_ranks;
      text += fmt::format(
          "    wait got >= {2}\n    gemm in.sum[{0}:{1}, 0:64] slot[{0}:{1}, 0:64] in.one[0:64, 0:64] "
          "ik,kj->ij accumulate\n",
          64 * peer, 64 * peer + 64, i);
    }
    text += "  lane copy0\n";
    for (int i = 1; i < num_ranks; ++i) {
      const int peer = (rank + i) % num_ranks;
      text += fmt::format("    wait counted.{2} >= 1\n    get slot[{0}:{1}, 0:64] in.n@{2}[0:64, 0:64] arrived got\n",
                          64 * peer, 64 * peer + 64, peer);
    }
  }
  return text;
}

TEST(Runs, InOneGoSeeWhatTheRunBeforeHasLeft) {
  constexpr int kRanks = 4;
  constexpr int kCount = 0, kOnes = 1, kTotal = 3;
  Schedule text = parse_schedule(counts_of_all(kRanks));
  for (int rank = 0; rank < kRanks; ++rank)
    for (const int buffer : {kCount, kOnes, kTotal}) {
      const Box whole = Box::whole(text.buffers[static_cast<std::size_t>(buffer)].shape);
      text.contract.inputs.push_back({"A", whole, {rank, buffer, whole}});
    }
  Capabilities available = cuda().capabilities();
  available.barrier = false;
  for (const int late : {-1, 0, kRanks - 1}) {
    SCOPED_TRACE(fmt::format("rank {} is late", late));
    // Behind what tells the ranks of each other's runs.
    const Schedule schedule = legalize(late < 0 ? text : with_late_rank(text, late, kLate / 8), available);
    const std::unique_ptr<Session> session = cuda().open(schedule, with_poison());
    constexpr std::uint16_t kOneInBf16 = 0x3F80;
    for (int rank = 0; rank < kRanks; ++rank) {
      std::ranges::fill(session->buffer(rank, kCount), std::byte{0});
      std::ranges::fill(session->buffer(rank, kTotal), std::byte{0});
      const std::span<std::byte> ones = session->buffer(rank, kOnes);
      for (std::size_t i = 0; i < ones.size(); i += sizeof kOneInBf16)
        std::memcpy(&ones[i], &kOneInBf16, sizeof kOneInBf16);
    }
    int runs = 0;
    for (const int times : {1, 40, 2, 60}) {
      session->run(times);
      runs += times;
      for (int rank = 0; rank < kRanks; ++rank) {
        const std::span<std::byte> bytes = session->buffer(rank, kTotal);
        for (int row = 0; row < 64 * kRanks; ++row)
          for (int column = 0; column < 64; ++column) {
            float found = 0;
            std::memcpy(&found, &bytes[sizeof found * static_cast<std::size_t>(row * 64 + column)], sizeof found);
            const int expected = row / 64 == rank ? 0 : 64 * runs * (runs + 1) / 2;
            ASSERT_EQ(found, static_cast<float>(expected)) << "run " << runs << ", rank " << rank << ", row " << row;
          }
      }
    }
  }
}

// Starvation ----------------------------------------------------------------------------------------------------------

int multiprocessors() {
  int number = 0;
  if (cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess)
    throw std::runtime_error("the GPU does not say how large it is");
  return number;
}

/// Each rank multiplies what another one has written by ones on a diagonal, and writes the product to a third one: by rank
/// from the first one to the last one, or back.
std::string hand_to_hand(int num_ranks, bool back) {
  std::string text = fmt::format("meshmul schedule 1\nmesh X={}\nrequires barrier addressable\n", num_ranks);
  text += "buffer a bf16 [64, 64] symmetric\nbuffer one bf16 [64, 64] symmetric\nbuffer out bf16 [64, 64] symmetric\n";
  text += "signal come\n";
  const int first = back ? num_ranks - 1 : 0, last = num_ranks - 1 - first;
  for (int rank = 0; rank < num_ranks; ++rank) {
    text += fmt::format("rank {}\n  lane compute\n", rank);
    if (rank != first) text += "    wait come >= 1\n";
    const std::string operands = "a[0:64, 0:64] one[0:64, 0:64] ik,kj->ij";
    if (rank == last)
      text += fmt::format("    gemm out[0:64, 0:64] {}\n", operands);
    else
      text += fmt::format("    gemm a@{}[0:64, 0:64] {} arrived come\n", back ? rank - 1 : rank + 1, operands);
  }
  return text;
}

void expect_handed(int num_ranks, bool back) {
  constexpr int kA = 0, kOne = 1, kOut = 2;
  ExecuteOptions options = with_poison();
  options.ranks_per_gpu = num_ranks;
  const std::unique_ptr<Session> session = cuda().open(parse_schedule(hand_to_hand(num_ranks, back)), options);
  constexpr std::uint16_t kValues[] = {0, 0x3F80, 0xC000, 0x4040};  // 0, 1, -2, 3 in bf16
  for (int rank = 0; rank < num_ranks; ++rank) {
    const std::span<std::byte> ones = session->buffer(rank, kOne);
    std::ranges::fill(ones, std::byte{0});
    for (std::size_t i = 0; i < 64; ++i) std::memcpy(&ones[2 * 65 * i], &kValues[1], 2);
  }
  std::mt19937 random(11);
  for (int run = 0; run < 3; ++run) {
    std::vector<std::byte> given(2 * 64 * 64);
    for (std::size_t i = 0; i < given.size(); i += 2) std::memcpy(&given[i], &kValues[random() % 4], 2);
    std::ranges::copy(given, session->buffer(back ? num_ranks - 1 : 0, kA).begin());
    session->run();
    const std::span<std::byte> found = session->buffer(back ? 0 : num_ranks - 1, kOut);
    ASSERT_TRUE(std::ranges::equal(found, given)) << "run " << run;
  }
}

/// A device has at most 128 kernels at once, of which one is that of the lanes.
int most_ranks() { return std::min(multiprocessors(), 127); }

/// A block of each waits on a multiprocessor of its own, whichever is launched first.
TEST(Starvation, AsManyRanksAsMultiplyAtOnceWaitForOneAnother) { expect_handed(most_ranks(), false); }

TEST(Starvation, RanksThatAreLaunchedFirstWaitForTheLastOne) { expect_handed(most_ranks(), true); }

TEST(Starvation, MoreRanksThanMultiplyAtOnceAreRefused) {
  const int num_ranks = most_ranks() + 1;
  ExecuteOptions options;
  options.ranks_per_gpu = num_ranks;
  EXPECT_THAT(message_of([&] { (void)cuda().open(parse_schedule(hand_to_hand(num_ranks, false)), options); }),
              AllOf(HasSubstr(fmt::format("{} lanes multiply on device", num_ranks)),
                    HasSubstr(fmt::format("at most {} can wait for one another", num_ranks - 1))));
}

TEST(Starvation, MoreLanesThanOneDeviceCanWatchAreRefused) {
  constexpr int kRanks = 129;
  std::string text = fmt::format("meshmul schedule 1\nmesh X={}\nrequires barrier\n", kRanks);
  text += "buffer a f32 [4] symmetric\n";
  for (int rank = 0; rank < kRanks; ++rank) text += fmt::format("rank {}\n  lane compute\n    map a[0:4] zero\n", rank);
  ExecuteOptions options;
  options.ranks_per_gpu = kRanks;
  EXPECT_THAT(message_of([&] { (void)cuda().open(parse_schedule(text), options); }),
              AllOf(HasSubstr("129 lanes on device"), HasSubstr("at most 128 can run on one")));
}

// Sizes and maps of indices -------------------------------------------------------------------------------------------

/// Runs twice; whether something was overlapped.
bool run_twice(const std::string& statement, const Mesh& mesh, Design design) {
  SCOPED_TRACE(fmt::format("{} on {}, {}", statement, mesh.str(), name(design)));
  const auto [schedule, overlaps] = built(statement, mesh, design);
  const std::unique_ptr<Session> session = cuda().open(schedule, with_poison());
  for (std::uint64_t run = 0; run < 2; ++run) EXPECT_EQ(run_and_compare(*session, schedule, run), "");
  return overlaps;
}

/// As few rows as leave ranks without any, and as many as leave the last one fewer.
TEST_P(Designs, TakeAnyNumberOfRows) {
  int overlapped = 0;
  for (const int num_ranks : {2, 3, 4, 8})
    for (const int rows : {1, 7, 17}) {
      const Mesh mesh = parse_mesh(fmt::format("X={}", num_ranks));
      for (const std::string& statement : {fmt::format("bf16 A[M={}_X, K=72] * B[K, N=136_X] -> C[M, N_X]", rows),
                                           fmt::format("bf16 A[M={}, K=72_X] * B[K_X, N=8] -> C[M_X, N]", rows)})
        if (run_twice(statement, mesh, GetParam())) ++overlapped;
    }
  if (GetParam() != Design::kSequential) {
    EXPECT_GE(overlapped, 12) << "these statements try nothing";
  }
}

TEST(Sizes, EveryNumberOfRowsUpToTwiceTheRanks) {
  const Mesh mesh = parse_mesh("X=8");
  for (int rows = 1; rows <= 17; ++rows)
    (void)run_twice(fmt::format("bf16 A[M={}_X, K=64] * B[K, N=64_X] -> C[M, N_X]", rows), mesh, kDesigns[rows % 6]);
}

/// Along X the ranks 0, 2 and 1, 3 move data among themselves, along Y the ranks 0, 1 and 2, 3.
TEST_P(Designs, MoveWithinGroupsOfTheMesh) {
  const Mesh mesh = parse_mesh("X=2,Y=2");
  int overlapped = 0;
  for (const char* axis : {"X", "Y"})
    for (const std::string& statement : {fmt::format("bf16 A[M=72_{0}, K=64] * B[K, N=144_{0}] -> C[M, N_{0}]", axis),
                                         fmt::format("bf16 A[M=72, K=64_{0}] * B[K_{0}, N=144] -> C[M_{0}, N]", axis)})
      if (run_twice(statement, mesh, GetParam())) ++overlapped;
  if (GetParam() != Design::kSequential) {
    EXPECT_EQ(overlapped, 4);
  }
}

/// What is added to a sum over ranks is added once, not by each of them.
TEST_P(Designs, AddABiasOnceToASumOfRanks) {
  const Mesh mesh = parse_mesh("X=4");
  LowerOptions way;
  way.overlap.gather = way.overlap.reduce = GetParam();
  for (const char* sum : {"C[M_X, N] = A * B", "C[M, N] = A * B"}) {
    SCOPED_TRACE(sum);
    const std::string text = fmt::format(
        "bf16 A[M=96, K=64_X]\nbf16 B[K_X, N=72]\nbf16 v[N]\n{}\nD = bias(C, v)\nE[M_X, N] = relu(D)\n", sum);
    const ProgramPlan chosen = plan(parse_program(text, mesh), mesh, find_hardware("h200"));
    const Schedule schedule = legalize(lower(chosen, way), cuda().capabilities());
    const std::unique_ptr<Session> session = cuda().open(schedule, with_poison());
    for (std::uint64_t run = 0; run < 2; ++run) ASSERT_EQ(run_and_compare(*session, schedule, chosen, run), "");
  }
}

// Sessions, and runs that fail ----------------------------------------------------------------------------------------

TEST(Sessions, RunInTurnsOnOneDevice) {
  const Schedule gather = built(kGather, 4, Design::kPull), scatter = built(kScatter, 3, Design::kPush);
  const std::unique_ptr<Session> first = cuda().open(gather, with_poison()),
                                 second = cuda().open(scatter, with_poison()),
                                 third = cuda().open(gather, with_poison());
  for (std::uint64_t turn = 0; turn < 10; ++turn) {
    ASSERT_EQ(run_and_compare(*first, gather, 3 * turn), "");
    ASSERT_EQ(run_and_compare(*second, scatter, 3 * turn + 1), "");
    ASSERT_EQ(run_and_compare(*third, gather, 3 * turn + 2), "");
  }
}

TEST(Sessions, OneThatFailsLeavesTheOthersAloneAndWorksAfterReset) {
  const Schedule gather = with_late_rank(built(kGather, 4, Design::kRing), 2, kVeryLate);
  const Schedule scatter = built(kScatter, 4, Design::kRing);
  bool interrupted = false;
  ExecuteOptions options = with_poison();
  options.interrupted = [&] { return interrupted; };
  const std::unique_ptr<Session> fails = cuda().open(gather, options), other = cuda().open(scatter, with_poison());
  ASSERT_EQ(run_and_compare(*fails, gather, 0), "");
  for (std::uint64_t turn = 1; turn <= 3; ++turn) {
    interrupted = true;
    ErrorCode code = ErrorCode::kMachine;
    // Each run asks some times, if it lasts long enough.
    for (int run = 0; run < 100 && code != ErrorCode::kInterrupted; ++run) try {
        fails->run();
      } catch (const Error& error) {
        code = error.code();
      }
    ASSERT_EQ(code, ErrorCode::kInterrupted);
    ASSERT_EQ(run_and_compare(*other, scatter, turn), "");
    interrupted = false;
    fails->reset();
    ASSERT_EQ(run_and_compare(*fails, gather, turn), "");
  }
}

constexpr std::string_view kWaitOfACopy = R"(meshmul schedule 1
mesh X=2
requires barrier
buffer a f32 [64] symmetric
buffer b f32 [64] symmetric
signal come
rank 0
  lane copy0
    signal 1 come
rank 1
  lane compute
    wait come >= 1
    copy b[0:64] a[0:64]
)";

TEST(Deadlines, OfATaskAreNamedAsThoseOfProducts) {
  const Schedule schedule = with_late_rank(parse_schedule(kWaitOfACopy), 0, kVeryLate);
  ExecuteOptions options;
  options.deadline = std::chrono::milliseconds(0);
  const std::unique_ptr<Session> session = cuda().open(schedule, options);
  // Rank 0 waits for its own late product as well; either wait may be the first to run out.
  EXPECT_THAT(message_of([&] { session->run(); }),
              AllOf(HasSubstr("a wait was not passed within 0 ms: rank "), HasSubstr("expected 1, seen 0"),
                    HasSubstr("it is raised by rank 0, lane ")));
  options.deadline = std::chrono::seconds(5);
  EXPECT_EQ(message_of([&] { (void)cuda().open(schedule, options)->run(); }), "no error");
}

/// Who waits for more than anybody raises is refused before anything is launched.
TEST(Deadlines, AWaitThatNobodyEndsIsRefusedWhenTheSessionIsOpened) {
  std::string text(kWaitOfACopy);
  text.replace(text.find(">= 1"), 4, ">= 2");
  EXPECT_EQ(message_of([&] { (void)cuda().open(parse_schedule(text), {}); }),
            "rank 1, lane compute, op 0: wait come >= 2: nothing that runs before raises its signal as often");
}

TEST(Memory, ThatDoesNotFitIsRefusedWithBothNumbers) {
  const auto with_buffer = [](int num_ranks, std::size_t bytes) {
    return parse_schedule(
        fmt::format("meshmul schedule 1\nmesh X={}\nrequires barrier\nbuffer huge f32 [{}] symmetric\n", num_ranks,
                    bytes / sizeof(float)));
  };
  ExecuteOptions options;
  options.ranks_per_gpu = 2;
  std::size_t left = 0, all = 0;
  ASSERT_EQ(cudaMemGetInfo(&left, &all), cudaSuccess);
  try {
    (void)cuda().open(with_buffer(1, std::size_t{1} << 46), options);
    FAIL() << "64 TiB were found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("a rank needs 70368744"), HasSubstr(fmt::format("of {} bytes left", all))));
  }
  // Each of two ranks fits, both do not; what the first one had taken is given back.
  const std::size_t most = left / 5 * 3;
  EXPECT_THAT(message_of([&] { (void)cuda().open(with_buffer(2, most), options); }),
              AllOf(HasSubstr("a rank needs"), HasSubstr("bytes left")));
  EXPECT_EQ(message_of([&] { (void)cuda().open(with_buffer(1, most), options); }), "no error");
}

}  // namespace
}  // namespace meshmul::testing
