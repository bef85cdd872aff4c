#include "execute/reference/reference_executor.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using testing::HasSubstr;

/// Two ranks hold one half of A each, rank r has 10 r + 0…2; both want all of it.
constexpr std::string_view kGather = R"(
meshmul schedule 1
mesh X=2
requires get
statement f32 A[I=6_X] -> f32 A[I=6]
buffer a f32 [3] symmetric
buffer whole f32 [6] symmetric
signal got
signal taken
input A rank 0 [0:3] at a[0:3]
input A rank 1 [3:6] at a[0:3]
output A rank 0 [0:6] at whole[0:6]
output A rank 1 [0:6] at whole[0:6]
rank 0
  lane copy0
    get whole[3:6] a@1[0:3] arrived got taken taken
  lane compute
    copy whole[0:3] a[0:3]
    wait got >= 1
    wait taken >= 1
rank 1
  lane copy0
    get whole[0:3] a@0[0:3] arrived got taken taken
  lane compute
    copy whole[3:6] a[0:3]
    wait got >= 1
    wait taken >= 1
)";

/// Rank 0 sends x to rank 1 and then overwrites it, with or without waiting for `sent`.
std::string overwrite_after_put(bool waits) {
  return std::string(R"(
meshmul schedule 1
mesh X=2
requires nothing
statement f32 A[I=8_X] -> f32 A[I=8_X]
buffer x f32 [4] symmetric
buffer y f32 [4] symmetric
signal here
signal sent
input A rank 0 [0:4] at x[0:4]
input A rank 1 [4:8] at x[0:4]
output A rank 1 [4:8] at y[0:4]
rank 0
  lane compute
    put y@1[0:4] x[0:4] arrived here sent sent
)") + (waits ? "    wait sent >= 1\n" : "") +
         R"(    map x[0:4] zero
rank 1
  lane compute
    wait here >= 1
)";
}

std::span<float> floats(std::span<std::byte> bytes) {
  return {reinterpret_cast<float*>(bytes.data()), bytes.size() / sizeof(float)};
}

std::unique_ptr<Session> open(std::string_view text, std::uint64_t seed) {
  ExecuteOptions options;
  options.seed = seed;
  return ReferenceExecutor().open(parse_schedule(text), options);
}

void fill(Session& session, int num_ranks, int buffer) {
  for (int rank = 0; rank < num_ranks; ++rank) {
    float next = 10.0F * static_cast<float>(rank);
    for (float& element : floats(session.buffer(rank, buffer))) element = next++;
  }
}

TEST(ReferenceExecutor, gathers_the_same_values_in_every_order_and_every_run) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto session = open(kGather, seed);
    fill(*session, 2, 0);
    for (int run = 0; run < 3; ++run) {
      const RunReport report = session->run();
      EXPECT_THAT(floats(session->buffer(0, 1)), testing::ElementsAre(0, 1, 2, 10, 11, 12));
      EXPECT_THAT(floats(session->buffer(1, 1)), testing::ElementsAre(0, 1, 2, 10, 11, 12));
      EXPECT_EQ(report.kernels, "reference loops");
      EXPECT_THAT(report.peak_bytes, testing::ElementsAre(36, 36));
    }
  }
}

TEST(ReferenceExecutor, begins_every_run_with_poison_in_all_that_is_not_an_input) {
  const auto session = open(R"(
meshmul schedule 1
mesh X=1
requires nothing
statement f32 A[I=2] -> f32 A[I=2]
buffer a f32 [2, 2] symmetric
buffer n i32 [1] symmetric
input A rank 0 [0:2] at a[0:1, 0:2]
)",
                            0);
  const std::span<float> a = floats(session->buffer(0, 0));
  std::ranges::fill(a, 1.0F);
  session->run();
  EXPECT_EQ(a[0], 1.0F);
  EXPECT_EQ(a[1], 1.0F);
  EXPECT_TRUE(std::isnan(a[2]) && std::isnan(a[3]));
  EXPECT_THAT(session->buffer(0, 1), testing::Each(std::byte(0x7F)));
}

TEST(ReferenceExecutor, lets_a_put_read_its_source_late_so_that_an_overwrite_without_a_wait_shows) {
  std::set<std::vector<float>> without_wait;
  std::set<std::vector<float>> with_wait;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    for (const bool waits : {false, true}) {
      const auto session = open(overwrite_after_put(waits), seed);
      fill(*session, 2, 0);
      session->run();
      const std::span<float> y = floats(session->buffer(1, 1));
      (waits ? with_wait : without_wait).emplace(y.begin(), y.end());
    }
  EXPECT_THAT(with_wait, testing::ElementsAre(testing::ElementsAre(0, 1, 2, 3)));
  EXPECT_THAT(without_wait, testing::Contains(testing::ElementsAre(0, 1, 2, 3)));
  EXPECT_THAT(without_wait, testing::Contains(testing::ElementsAre(0, 0, 0, 0)));
  EXPECT_THAT(without_wait, testing::Contains(testing::ElementsAre(0, 1, 0, 0)));  // half of it was read
}

TEST(ReferenceExecutor, raises_one_word_in_program_order) {
  // If the short put could raise `here` before the long one, rank 1 would copy poison.
  constexpr std::string_view kText = R"(
meshmul schedule 1
mesh X=2
requires nothing
statement f32 A[I=8_X] -> f32 A[I=8_X]
buffer x f32 [4] symmetric
buffer y f32 [4] symmetric
buffer z f32 [4] symmetric
signal here
input A rank 0 [0:4] at x[0:4]
input A rank 1 [4:8] at x[0:4]
rank 0
  lane compute
    put y@1[0:4] x[0:4] arrived here
    put z@1[0:0] x[0:0] arrived here
rank 1
  lane compute
    wait here >= 1
    copy z[0:4] y[0:4]
    wait here >= 2
)";
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto session = open(kText, seed);
    fill(*session, 2, 0);
    session->run();
    EXPECT_THAT(floats(session->buffer(1, 2)), testing::ElementsAre(0, 1, 2, 3));
  }
}

TEST(ReferenceExecutor, multiplies_reduces_and_maps_in_place_at_a_peer) {
  const auto session = open(R"(
meshmul schedule 1
mesh X=2
requires addressable
statement f32 A[I=2, J=2] * f32 B[J=2, K=2] -> f32 C[I=2, K=2]
buffer a f32 [2, 2] symmetric
buffer c f32 [2, 2] symmetric
signal done
input A rank 0 [0:2, 0:2] at a[0:2, 0:2]
input A rank 1 [0:2, 0:2] at a[0:2, 0:2]
rank 0
  lane compute
    gemm c[0:2, 0:2] a[0:2, 0:2] a@1[0:2, 0:2] ij,jk->ik
    reduce c[0:2, 0:2] a[0:2, 0:2] permute 1 0
    map c@1[0:2, 0:2] relu c[0:2, 0:2] arrived done
rank 1
  lane compute
    wait done >= 1
)",
                            7);
  fill(*session, 2, 0);
  floats(session->buffer(0, 0))[3] = -3;
  session->run();
  // (0 1; 2 -3) (10 11; 12 13) + (0 2; 1 -3) = (12 15; -15 -20)
  EXPECT_THAT(floats(session->buffer(0, 1)), testing::ElementsAre(12, 15, -15, -20));
  EXPECT_THAT(floats(session->buffer(1, 1)), testing::ElementsAre(12, 15, 0, 0));
}

TEST(ReferenceExecutor, names_every_wait_of_a_stall_and_is_poisoned_until_reset) {
  const auto session = open(R"(
meshmul schedule 1
mesh X=2
requires nothing
statement f32 A[I=2] -> f32 A[I=2]
buffer a f32 [2] symmetric
signal s
input A rank 0 [0:2] at a[0:2]
input A rank 1 [0:2] at a[0:2]
rank 0
  lane compute
    signal 1 s
    wait s >= 1
rank 1
  lane copy0
    wait s >= 2
    signal 0 s
)",
                            0);
  for (int attempt = 0; attempt < 3; ++attempt) {
    if (attempt == 2) session->reset();
    try {
      session->run();
      FAIL() << "the run ended";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kRankFailed);
      EXPECT_STREQ(error.what(),
                   "no lane can step: rank 0 lane compute stands at 'wait s >= 1' (line 13) with s at 0; rank 1 lane "
                   "copy0 stands at 'wait s >= 2' (line 16) with s at 1");
    }
  }
}

TEST(ReferenceExecutor, refuses_boxes_and_holdings_that_lie_nowhere) {
  Schedule schedule = parse_schedule(kGather);
  schedule.contract.inputs[1].region.box[0] = {1, 4};
  try {
    ReferenceExecutor().open(schedule, {});
    FAIL() << "it was opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_STREQ(error.what(),
                 "the contract says that A lies in [1:4] of buffer number 0 of rank 1, which is not there");
  }
  schedule = parse_schedule(kGather);
  std::get<Get>(schedule.ranks[0].lanes[0].ops[0]).dst.box[0] = {4, 7};
  EXPECT_THROW(ReferenceExecutor().open(schedule, {}), Error);
}

TEST(ReferenceExecutor, ends_when_it_is_interrupted) {
  ExecuteOptions options;
  options.interrupted = [] { return true; };
  const auto session = ReferenceExecutor().open(parse_schedule(kGather), options);
  try {
    session->run();
    FAIL() << "the run ended";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInterrupted);
  }
}

TEST(Registry, finds_executors_by_name) {
  const Executor* reference = find_executor("reference");
  ASSERT_NE(reference, nullptr);
  EXPECT_EQ(reference->name(), "reference");
  EXPECT_EQ(find_executor("abacus"), nullptr);
  EXPECT_THAT(executors(), testing::Contains(reference));
}

}  // namespace
}  // namespace meshmul
