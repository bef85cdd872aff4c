#include "meshmul/pareto.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "meshmul/error.hpp"
#include "plan/report/step_text.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using testing::message_of;

const Mesh kMesh{{"X", 4}, {"Y", 4}};
/// Memory can be saved in three steps, each of which takes longer.
constexpr const char* kTight = "bf16 A[I=512, J=8192_YX] * B[J, K=4096] -> C[I, K_XY]";

PlanOptions exact(std::optional<std::int64_t> memory_bytes = std::nullopt) {
  PlanOptions options;
  options.cost = *find_cost_model("exact");
  options.memory_bytes = memory_bytes;
  return options;
}

std::vector<Plan> front_of(const std::string& text, const PlanOptions& options = exact(),
                           const std::string& hardware = "v5e:4x4") {
  return pareto_front(parse_statement(text, kMesh), kMesh, find_hardware(hardware), options);
}

Plan planned(const std::string& text, const PlanOptions& options) {
  return plan(parse_statement(text, kMesh), kMesh, find_hardware("v5e:4x4"), options);
}

TEST(ParetoFront, RisesInTimeAndFallsInMemory) {
  const std::vector<Plan> front = front_of(kTight);
  ASSERT_EQ(front.size(), 4);
  for (std::size_t i = 1; i < front.size(); ++i) {
    EXPECT_GT(front[i].seconds_sequential, front[i - 1].seconds_sequential);
    EXPECT_LT(front[i].peak_bytes, front[i - 1].peak_bytes);
  }
}

TEST(ParetoFront, HoldsThePlanForEveryLimitOnMemory) {
  const std::vector<Plan> front = front_of(kTight);
  EXPECT_EQ(front.front().seconds_sequential, planned(kTight, exact()).seconds_sequential);
  for (std::size_t i = 0; i < front.size(); ++i) {
    EXPECT_EQ(planned(kTight, exact(front[i].peak_bytes)).seconds_sequential, front[i].seconds_sequential);
    if (i == 0) continue;
    EXPECT_EQ(planned(kTight, exact(front[i - 1].peak_bytes - 1)).seconds_sequential, front[i].seconds_sequential);
  }
  EXPECT_THROW(planned(kTight, exact(front.back().peak_bytes - 1)), Error);
}

TEST(ParetoFront, LeavesOutWhatDoesNotFit) {
  const std::vector<Plan> all = front_of(kTight);
  const std::vector<Plan> fitting = front_of(kTight, exact(all[1].peak_bytes));
  ASSERT_EQ(fitting.size(), 3);
  EXPECT_EQ(fitting.front().seconds_sequential, all[1].seconds_sequential);
}

TEST(ParetoFront, SaysTheLeastThatFitsIfNothingDoes) {
  const Plan least = front_of(kTight).back();
  EXPECT_EQ(message_of([] { front_of(kTight, exact(1000)); }),
            "no plan fits into 1000 bytes a device; the least that one takes is " + std::to_string(least.peak_bytes) +
                ", by " + step_labels(least.steps, least.mesh));
}

TEST(ParetoFront, HasOnePlanWhereThereIsOneWay) {
  EXPECT_EQ(front_of("AllGather_X(A[I=64_X])").size(), 1);
  EXPECT_EQ(front_of("A[I=64] -> A[I]").size(), 1);
}

TEST(ParetoFront, ListsChangesOfSharding) {
  constexpr const char* kNarrow = "bf16 A[I=4096, J=4]{U_X} -> A[I, J_XY]";
  const std::vector<Plan> front = front_of(kNarrow);
  ASSERT_EQ(front.size(), 3);
  for (std::size_t i = 1; i < front.size(); ++i)
    EXPECT_EQ(planned(kNarrow, exact(front[i - 1].peak_bytes - 1)).seconds_sequential, front[i].seconds_sequential);
}

TEST(ParetoFront, CountsTheTimeWithOverlapWhereThatIsAskedFor) {
  PlanOptions options = exact();
  options.overlapped = true;
  const std::vector<Plan> front = front_of(kTight, options);
  ASSERT_GE(front.size(), 2);
  EXPECT_LT(front.front().seconds_overlapped, front_of(kTight).front().seconds_overlapped);
  for (std::size_t i = 1; i < front.size(); ++i)
    EXPECT_GT(front[i].seconds_overlapped, front[i - 1].seconds_overlapped);
}

TEST(ParetoFront, TakesForEveryPlanTheFastestWayToLayTheMesh) {
  // The axes of this slice have different sizes, so that it matters which one is X.
  const Mesh mesh{{"X", 2}, {"Y", 8}};
  const Statement statement =
      parse_statement("bf16 A[I=4096_X, J=4096_Y] * B[J=4096_X, K=4096_Y] -> C[I_Y, K_X]", mesh);
  const Hardware hardware = find_hardware("v5p:2x2x4");
  for (const Plan& member : pareto_front(statement, mesh, hardware, exact())) {
    EXPECT_FALSE(member.mapping.axes.empty());
    const Plan limited = plan(statement, mesh, hardware, exact(member.peak_bytes));
    EXPECT_DOUBLE_EQ(limited.seconds_sequential, member.seconds_sequential);
    PlanOptions same = exact();
    same.mapping = member.mapping;
    EXPECT_LE(plan(statement, mesh, hardware, same).seconds_sequential, member.seconds_sequential);
  }
}

TEST(ParetoFront, ClosesEveryArrayAndKeepsNoLosers) {
  for (const Plan& member : front_of("bf16 A[I=4096, J=64]? * B[J, K=4096]? -> C[I, K]")) {
    for (const ArrayType* array : inputs(member.statement)) EXPECT_FALSE(array->open);
    EXPECT_FALSE(member.cases.empty());
    EXPECT_TRUE(member.rejected.empty());
  }
}

}  // namespace
}  // namespace meshmul
