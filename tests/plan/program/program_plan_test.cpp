#include "meshmul/program_plan.hpp"

#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "notation/print.hpp"
#include "plan/program/explain_strategies.hpp"
#include "plan/report/part_text.hpp"
#include "plan/toy_hardware.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

const Mesh kX2Y2{{"X", 2}, {"Y", 2}};

/// Problem 7 of part 3 of the book.
constexpr const char* kMlp =
    "bf16 In[B=128, D=8192]?\nbf16 Win[D, F=32768]?\nbf16 Wout[F, D]?\nH = gelu(In * Win)\nOut = H * Wout like In\n";

PlanOptions limited(std::int64_t bytes) {
  PlanOptions options;
  options.memory_bytes = bytes;
  return options;
}

ProgramPlan planned(const std::string& text, const Mesh& mesh, const PlanOptions& options = {},
                    const std::string& hardware = "v5e:2x2") {
  return plan(parse_program(text, mesh), mesh, find_hardware(hardware), options);
}

/// The first column of the rows of all parts.
std::vector<std::string> steps(const ProgramPlan& plan) {
  std::vector<std::string> labels;
  for (const PlannedPart& part : plan.best.parts)
    for (const Row& row : part_rows(part, plan.best.program, plan.mesh)) labels.push_back(row.front());
  return labels;
}

const RejectedProgram* rejected(const ProgramPlan& plan, Strategy strategy) {
  for (const RejectedProgram& loser : plan.rejected)
    if (loser.way.strategy == strategy) return &loser;
  return nullptr;
}

TEST(ProgramPlan, OfTheBooksMlpIsTensorParallel) {
  const ProgramPlan plan = planned(kMlp, kX2Y2, limited(300'000'000));
  EXPECT_EQ(plan.best.strategy, Strategy::kTensorParallel);
  EXPECT_EQ(shardings_in_short(plan.best.program, kX2Y2), "In[B, D_XY], Win[D, F_XY], Wout[F_XY, D], Out[B, D_XY]");
  EXPECT_THAT(steps(plan),
              ElementsAre("AllGather_XY of In", "local product, gelu", "local product", "ReduceScatter_XY of Out"));
  EXPECT_LE(plan.best.peak_bytes, 300'000'000);
  EXPECT_GE(plan.best.peak_bytes, 268'435'456);
}

TEST(ProgramPlan, SaysWhyTheWeightsOfTheBooksMlpAreNotGathered) {
  const ProgramPlan plan = planned(kMlp, kX2Y2, limited(300'000'000));
  const RejectedProgram* fsdp = rejected(plan, Strategy::kFsdp);
  ASSERT_NE(fsdp, nullptr);
  EXPECT_FALSE(fsdp->fits);
  EXPECT_GE(fsdp->way.peak_bytes, (268 + 536) * 1'000'000);
  EXPECT_THAT(fsdp->reason, HasSubstr("AllGather_XY of Win and Wout: 802 MB more traffic"));
  EXPECT_THAT(fsdp->reason, HasSubstr("ms slower; needs 808 MB, the limit is 300 MB"));
  for (const Strategy strategy : {Strategy::kFsdpAndTensorParallel, Strategy::kDataParallel, Strategy::kReplicated})
    EXPECT_NE(rejected(plan, strategy), nullptr) << name(strategy);
}

TEST(ProgramPlan, WithoutRoomNamesTheSmallestPeakAndItsShardings) {
  const std::string message = message_of([] { planned(kMlp, kX2Y2, limited(250'000'000)); });
  EXPECT_EQ(message,
            "no plan fits into 250000000 bytes a device; the least that one takes is 274726912, with In[B, D_XY], "
            "Win[D, F_XY], Wout[F_XY, D], Out[B, D_XY]");
  EXPECT_NO_THROW(planned(kMlp, kX2Y2, limited(274'726'912)));
  EXPECT_THROW(planned(kMlp, kX2Y2, limited(274'726'911)), Error);
}

TEST(ProgramPlan, KeepsToTheMemoryOfTheHardware) {
  const std::string text = "bf16 A[I=131072, J=131072]?\nB[J, K=131072]?\nC = A * B\n";
  EXPECT_THAT(message_of([&] { planned(text, Mesh{{"X", 2}, {"Y", 2}}); }),
              HasSubstr("the memory of v5e; the least that one takes is"));
}

TEST(ProgramPlan, PricesALoopByItsPasses) {
  const auto layers = [](int count) {
    return "bf16 X[B=128, D=8192]?\nW1[L=" + std::to_string(count) +
           ", D, F=32768]?\nW2[L, F, D]?\nrepeat L as l {\n  H = gelu(X * W1[l])\n  X = H * W2[l] like X\n}\n";
  };
  const ProgramPlan one = planned(layers(1), kX2Y2);
  const ProgramPlan four = planned(layers(4), kX2Y2);
  EXPECT_DOUBLE_EQ(four.best.seconds_sequential, 4 * one.best.seconds_sequential);
  EXPECT_DOUBLE_EQ(four.best.sent_bytes, 4 * one.best.sent_bytes);
  EXPECT_EQ(four.best.peak_bytes - one.best.peak_bytes, 3 * 2 * 8192LL * 32768 * 2 / 4);
}

TEST(ProgramPlan, MovesACarriedArrayThatEndsElsewhere) {
  // A pass begins with whole rows and leaves columns: they have to be exchanged before each further pass.
  const Mesh x4{{"X", 4}};
  const ProgramPlan plan = planned(
      "bf16 X[B=4096_X, D=4096]\nW[L=3, D, F=4096]\nV[F, D_X]\nrepeat L as l {\n  H[B_X, F] = X * W[l]\n"
      "  X[B, D_X] = H * V\n}\n",
      x4, {}, "v5p");
  std::vector<std::string> titles;
  for (const PlannedPart& part : plan.best.parts)
    if (!part.steps.empty()) titles.push_back(part_title(part, plan.best.program));
  EXPECT_THAT(titles, ElementsAre("X enters repeat L", "H = X * W[l], 3 times", "X = H * V, 3 times",
                                  "X to the next pass, 2 times"));
}

TEST(ProgramPlan, AppliesAFunctionWhereSumsAreComplete) {
  const Mesh x4{{"X", 4}};
  const ProgramPlan plan = planned("bf16 A[I=4096, J=65536_X]\nB[J_X, K=4096]\nC[I, K] = gelu(A * B)\n", x4, {}, "v5p");
  EXPECT_THAT(steps(plan), ElementsAre("local product", "AllReduce_X of C, gelu"));
}

TEST(ProgramPlan, RefusesFunctionsOfPartialSums) {
  const Mesh x4{{"X", 4}};
  EXPECT_THAT(message_of([&] {
                planned("bf16 A[I=64, J=64_X]\nB[J_X, K=64]\nC[I, K]{U_X} = A * B\nD = gelu(C)\n", x4, {}, "v5p");
              }),
              "no error");
  Program program = parse_program("bf16 A[I=64, J=64_X]\nB[J_X, K=64]\nC[I, K] = gelu(A * B)\n", x4);
  program.values.back().type.sharding.unreduced = {0};
  EXPECT_EQ(message_of([&] { plan(program, x4, find_hardware("v5p")); }),
            "gelu takes complete sums, but C is to be left partial over X");
}

TEST(ProgramPlan, TakesTheTimeWithOverlapWhereThatCounts) {
  PlanOptions options;
  options.overlapped = true;
  const ProgramPlan with = planned(kMlp, kX2Y2, options);
  const ProgramPlan without = planned(kMlp, kX2Y2);
  EXPECT_LE(with.best.seconds_overlapped, without.best.seconds_overlapped);
  EXPECT_GE(with.best.seconds_sequential, without.best.seconds_sequential);
  for (const RejectedProgram& loser : with.rejected) EXPECT_EQ(loser.seconds, loser.way.seconds_overlapped);
}

TEST(ProgramPlan, OfOneDeviceMovesNothing) {
  const ProgramPlan plan = planned("A[I=8, J=8]?\nB[J, K=8]?\nC = relu(A * B)\n", Mesh{}, {}, "cpu");
  EXPECT_THAT(steps(plan), ElementsAre("local product, relu"));
  EXPECT_TRUE(plan.rejected.empty());
  EXPECT_EQ(plan.best.strategy, Strategy::kReplicated);
}

TEST(ProgramPlan, AddsPartialSumsOnce) {
  // Both terms are partial over X: they are added as they are, and the sum is reduced.
  const Mesh x4{{"X", 4}};
  const ProgramPlan plan = planned("bf16 A[I=64, J=64]{U_X}\nB[I, J]{U_X}\nC[I, J] = add(A, B)\n", x4, {}, "v5p");
  EXPECT_THAT(steps(plan), ElementsAre("add", "AllReduce_X of C"));
}

// What a loop with written shardings leaves is known by no task, and yet stays.
TEST(ProgramPlan, CountsWhatALoopLeavesInTheMemoryOfWhatFollows) {
  const Mesh x2{{"X", 2}};
  const Program program = parse_program(
      "f32 X[B=3_X, D=9]\nf64 U[L=3, D=9, F=3]\nf64 V[L=3, F=3, D=9]\nf64 b[L=3, D=9]?\nf32 W[B=3, E=8_X]\n"
      "f64 Z[B=3, D=9_X] = convert(X)\nrepeat L as l {\n  H[B=3, F=3] = relu(Z * U[l])\n  Q = H * V[l]\n"
      "  Z = bias(Q, b[l]) like Z\n}\nP = X * W\n",
      x2);
  const ProgramPlan found = plan(program, x2, testing::toy_hardware());
  EXPECT_EQ(found.best.peak_bytes, found.best.parts.back().peak_bytes) << "the last product comes on top of Z";
}

}  // namespace
}  // namespace meshmul
