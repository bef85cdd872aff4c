#include <gmock/gmock.h>

#include "meshmul/error.hpp"
#include "meshmul/pareto.hpp"
#include "plan/program/explain_strategies.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kX2Y2{{"X", 2}, {"Y", 2}};

/// A large batch: whole weights are fastest, cut ones take less memory.
constexpr const char* kMlp =
    "bf16 In[B=8192, D=1024]?\nWin[D, F=4096]?\nWout[F, D]?\nH = gelu(In * Win)\nOut = H * Wout like In\n";

PlanOptions limited(std::optional<std::int64_t> bytes = std::nullopt) {
  PlanOptions options;
  options.cost = *find_cost_model("exact");
  options.memory_bytes = bytes;
  return options;
}

std::vector<ProgramPlan> front_of(const std::string& text, const PlanOptions& options = limited()) {
  return pareto_front(parse_program(text, kX2Y2), kX2Y2, find_hardware("v5e:2x2"), options);
}

ProgramPlan planned(const PlanOptions& options) {
  return plan(parse_program(kMlp, kX2Y2), kX2Y2, find_hardware("v5e:2x2"), options);
}

TEST(ParetoFrontOfAProgram, GoesFromWholeWeightsToOnesThatAreGathered) {
  std::vector<std::string> names;
  std::vector<std::string> moves;
  for (const ProgramPlan& member : front_of(kMlp)) {
    names.emplace_back(name(*member.best.strategy));
    moves.push_back(moves_in_short(member.best, kX2Y2));
  }
  EXPECT_THAT(names, ElementsAre("data parallel", "mixed", "FSDP"));
  EXPECT_THAT(moves, ElementsAre("", "AllGather_XY of Win", "AllGather_XY of Win and Wout"));
}

TEST(ParetoFrontOfAProgram, HoldsThePlanForEveryLimitOnMemory) {
  const std::vector<ProgramPlan> front = front_of(kMlp);
  EXPECT_EQ(front.front().best.seconds_sequential, planned(limited()).best.seconds_sequential);
  for (std::size_t i = 0; i < front.size(); ++i) {
    const PlannedProgram& member = front[i].best;
    EXPECT_DOUBLE_EQ(planned(limited(member.peak_bytes)).best.seconds_sequential, member.seconds_sequential);
    if (i == 0) continue;
    EXPECT_LT(member.peak_bytes, front[i - 1].best.peak_bytes);
    const ProgramPlan below = planned(limited(front[i - 1].best.peak_bytes - 1));
    EXPECT_DOUBLE_EQ(below.best.seconds_sequential, member.seconds_sequential);
  }
  EXPECT_THROW(planned(limited(front.back().best.peak_bytes - 1)), Error);
}

TEST(ParetoFrontOfAProgram, LeavesOutWhatDoesNotFit) {
  const std::vector<ProgramPlan> all = front_of(kMlp);
  const std::vector<ProgramPlan> fitting = front_of(kMlp, limited(all[0].best.peak_bytes - 1));
  ASSERT_EQ(fitting.size(), all.size() - 1);
  EXPECT_EQ(fitting.front().memory_limit, all[0].best.peak_bytes - 1);
}

TEST(ParetoFrontOfAProgram, SaysTheLeastThatFitsIfNothingDoes) {
  try {
    front_of(kMlp, limited(1000));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "no plan fits into 1000 bytes a device; the least that one takes is " +
                                             std::to_string(front_of(kMlp).back().best.peak_bytes) +
                                             ", with In[B_XY, D], Win[D, F_XY], Wout[F, D_XY], Out[B_XY, D]");
  }
}

TEST(ParetoFrontOfAProgram, HasOnePlanWhereTheFastestIsTheSmallest) {
  EXPECT_EQ(front_of("A[I=4_X, J=2]\nB[I_X, J] = relu(A)\n").size(), 1U);
}

}  // namespace
}  // namespace meshmul
