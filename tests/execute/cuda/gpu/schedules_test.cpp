// Whole schedules on GPUs, several virtual ranks on each: every design, exact with small whole numbers, run after run.

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <tuple>

#include "meshmul/error.hpp"
#include "meshmul/execute.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/tune.hpp"
#include "support/run_schedule.hpp"

namespace meshmul::testing {
namespace {

const Executor& cuda() {
  const Executor* executor = find_executor("cuda");
  if (executor == nullptr) throw std::runtime_error("these tests need a GPU of compute capability 9.0");
  return *executor;
}

// Shards of 64 columns that the product kernel reads, others that it does not, short and empty ones.
constexpr const char* kStatements[] = {
    "bf16 A[M=136_X, K=40] * B[K, N=128_X] -> C[M, N_X]",
    "bf16 A[M=131_X, K=48] * B[K_X, N=72] -> C[M_X, N]",
    "f16 A[M=136, K=64_X] * B[K_X, N=72] -> C[M_X, N]",
    "f16 A[M=72, K=64_X] * B[K_X, N=136] -> C[M, N]",
    "f8e4m3 A[M=129_X, K=32] * B[N=67_X, K] -> C[M, N_X]",
    "f32 A[M=31_X, K=30] * B[K, N=21_X] -> C[M, N_X]",
    "i8 A[M=31, K=30_X] * B[K_X, N=21] -> C[M_X, N]",
    "bf16 A[B=3, M=24_X, K=24] * B[B, K, N=16_X] -> C[B, M, N_X]",
};

using Parameters = std::tuple<const char*, Design, int>;
class Schedules : public ::testing::TestWithParam<Parameters> {};

TEST_P(Schedules, GiveTheRightNumbers) {
  const auto& [statement, design, num_ranks] = GetParam();
  const Mesh mesh = parse_mesh(fmt::format("X={}", num_ranks));
  const Plan chosen = plan(parse_statement(statement, mesh), mesh, find_hardware("h200"));
  LowerOptions way;
  way.overlap.gather = way.overlap.reduce = design;
  try {
    way = applied(way, chosen);
  } catch (const Error&) {
    way = {};  // nothing to overlap: one rank, or a plan that moves nothing beside its product
  }
  const Schedule schedule = legalize(lower(chosen, way), cuda().capabilities());
  ExecuteOptions options;
  options.poison = true;
  options.deadline = std::chrono::seconds(5);
  const std::unique_ptr<Session> session = cuda().open(schedule, options);
  for (std::uint64_t run = 0; run < 3; ++run) ASSERT_EQ(run_and_compare(*session, schedule, run), "");
}

std::string name_of(const ::testing::TestParamInfo<Parameters>& test) {
  const auto& [statement, design, num_ranks] = test.param;
  std::string text = fmt::format("{}_{}_{}", test.index, name(design), num_ranks);
  for (char& letter : text)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return text;
}

INSTANTIATE_TEST_SUITE_P(Gpu, Schedules,
                         ::testing::Combine(::testing::ValuesIn(kStatements),
                                            ::testing::Values(Design::kSequential, Design::kInPlace, Design::kPull,
                                                              Design::kPush, Design::kRing, Design::kRingBothWays),
                                            ::testing::Values(1, 2, 3, 4, 8)),
                         name_of);

TEST(CudaSession, RunsOnWhatTheDeviceWroteAndShowsItToTheHost) {
  const std::unique_ptr<Session> session = cuda().open(parse_schedule(R"(meshmul schedule 1
mesh X=2
requires barrier get
buffer in i32 [4] symmetric
buffer out i32 [4] symmetric
signal got
rank 0
  lane copy0
    get out[0:4] in@1[0:4] arrived got
rank 1
)"),
                                                       {});
  constexpr int kIn = 0, kOut = 1;
  using Values = std::array<std::int32_t, 4>;
  const auto on_host = [&](int rank, int buffer) {
    Values values;
    std::memcpy(values.data(), session->buffer(rank, buffer).data(), sizeof values);
    return values;
  };
  const auto write = [&](const Values& values) {
    ASSERT_EQ(cudaMemcpy(session->device_buffer(1, kIn), values.data(), sizeof values, cudaMemcpyHostToDevice),
              cudaSuccess);
  };
  std::byte* const out = session->device_buffer(0, kOut);
  for (const Values& values : {Values{1, 2, 3, 4}, Values{5, 6, 7, 8}}) {
    write(values);
    session->run();
    Values found;
    ASSERT_EQ(cudaMemcpy(found.data(), out, sizeof found, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(found, values);
    EXPECT_EQ(on_host(0, kOut), values);
  }
  // The host looks at the buffer, the device writes it, the host looks again.
  EXPECT_EQ(on_host(1, kIn), (Values{5, 6, 7, 8}));
  write({9, 9, 9, 9});
  EXPECT_EQ(on_host(1, kIn), (Values{9, 9, 9, 9}));
  // What the host has at hand wins.
  const Values last{1, 1, 2, 3};
  std::memcpy(session->buffer(1, kIn).data(), last.data(), sizeof last);
  write({8, 8, 8, 8});
  session->run();
  EXPECT_EQ(on_host(0, kOut), last);
}

/// The product kernel of rank 1 waits for a product of rank 0 that takes some milliseconds.
constexpr std::string_view kSlow = R"(meshmul schedule 1
mesh X=2
requires barrier
buffer a f32 [2048, 2048] symmetric
buffer c f32 [2048, 2048] symmetric
buffer d bf16 [64, 64] symmetric
buffer e bf16 [64, 64] symmetric
signal come
rank 0
  lane compute
    gemm c[0:2048, 0:2048] a[0:2048, 0:2048] a[0:2048, 0:2048] ik,kj->ij
    signal 1 come
rank 1
  lane compute
    wait come >= 1
    gemm e[0:64, 0:64] d[0:64, 0:64] d[0:64, 0:64] ik,kj->ij
)";

std::string error_of(Session& session) {
  try {
    session.run();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
    return error.what();
  }
  return "it ran";
}

TEST(CudaSession, SaysWhichProductsItsKernelDoesNot) {
  const auto kernels = [](const char* text) {
    const Mesh mesh = parse_mesh("X=2");
    LowerOptions way;
    way.overlap.gather = Design::kPull;
    const Plan chosen = plan(parse_statement(text, mesh), mesh, find_hardware("h200"));
    return cuda().open(legalize(lower(chosen, way), cuda().capabilities()), {})->run().kernels;
  };
  EXPECT_EQ(kernels("bf16 A[M=128_X, K=64] * B[K, N=128_X] -> C[M, N_X]"), "own kernels");
  EXPECT_EQ(kernels("bf16 A[M=128_X, K=64] * B[K, N=126_X] -> C[M, N_X]"),
            "own kernels; 4 of 4 products by plain loops");
  EXPECT_EQ(kernels("f32 A[M=128_X, K=64] * B[K, N=128_X] -> C[M, N_X]"),
            "own kernels; 4 of 4 products by plain loops");
}

TEST(CudaSession, SaysWhichWaitRanOutAndIsPoisonedUntilReset) {
  ExecuteOptions options;
  options.deadline = std::chrono::milliseconds(0);
  const std::unique_ptr<Session> session = cuda().open(parse_schedule(kSlow), options);
  const std::string sentence =
      "a wait was not passed within 0 ms: rank 1, lane compute, op 0 (line 15): wait come >= 1, signal come: expected "
      "1, "
      "seen 0; it is raised by rank 0, lane compute";
  EXPECT_EQ(error_of(*session), sentence);
  EXPECT_EQ(error_of(*session), sentence);
  session->reset();
  EXPECT_EQ(error_of(*session), sentence);
  options.deadline = std::chrono::seconds(5);
  EXPECT_EQ(error_of(*cuda().open(parse_schedule(kSlow), options)), "it ran");
}

TEST(CudaSession, StopsWhenItIsInterrupted) {
  ExecuteOptions options;
  int asked = 0;
  options.interrupted = [&] { return ++asked > 1; };
  const std::unique_ptr<Session> session = cuda().open(parse_schedule(kSlow), options);
  try {
    for (int i = 0; i < 100; ++i) session->run();
    FAIL() << "it ran";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
}

/// Some hundred times; $MESHMUL_SESSIONS says how often else.
TEST(CudaSession, IsMadeAndEndedManyTimesWithoutGrowing) {
  const char* asked = std::getenv("MESHMUL_SESSIONS");
  const int sessions = asked == nullptr ? 500 : std::atoi(asked);
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
mesh X=2
requires barrier
buffer a bf16 [64, 64] symmetric
buffer c bf16 [64, 64] symmetric
signal come
rank 0
  lane compute
    gemm c[0:64, 0:64] a[0:64, 0:64] a[0:64, 0:64] ik,kj->ij
    signal 1 come
rank 1
  lane compute
    wait come >= 1
)");
  std::size_t first = 0;
  for (int i = 0; i < sessions; ++i) {
    (void)cuda().open(schedule, {});
    std::size_t left = 0, all = 0;
    ASSERT_EQ(cudaMemGetInfo(&left, &all), cudaSuccess);
    if (i == 10) first = left;
    if (i > 10) {
      ASSERT_GE(left, first) << "after " << i;
    }
  }
}

}  // namespace
}  // namespace meshmul::testing
