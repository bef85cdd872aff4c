#include "draw/plan_data.hpp"

#include <gmock/gmock.h>

#include "draw/sample.hpp"
#include "draw/two_ranks.hpp"
#include "meshmul/program.hpp"
#include "plan/report/loser_rows.hpp"

namespace meshmul::drawing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PlanData, HasAPictureAndARowForEachStep) {
  const Plan plan = meshmul::testing::small_sample().plan;
  ArrayTable arrays(plan.mesh);
  const PlanData data = plan_data(plan, arrays);
  EXPECT_EQ(data.title, "bf16 A[I=512_X, J=1024_Y] * bf16 B[J=1024_Y, K=768] -> bf16 C[I=512_X, K=768_Y]");
  ASSERT_EQ(data.steps.size(), plan.steps.size());
  EXPECT_EQ(data.steps[0].title, "local product");
  EXPECT_THAT(data.steps[0].before, ElementsAre(0, 1));
  EXPECT_THAT(data.steps[0].after, ElementsAre(2));
  EXPECT_EQ(data.steps[1].title, "ReduceScatter_Y of C");
  EXPECT_THAT(data.steps[1].before, ElementsAre(2));
  EXPECT_THAT(data.steps[1].after, ElementsAre(3));
  ASSERT_EQ(data.tables.size(), 3U);
  EXPECT_EQ(data.tables[0].rows.size(), plan.steps.size());
  EXPECT_EQ(data.tables[1].rows.size(), plan.cases.size());
  EXPECT_EQ(data.tables[2].rows, loser_rows(plan));
  for (const Table& table : data.tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.head.size()) << table.title;
}

TEST(PlanData, OfAProgramHasATableForEachPart) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  const Program program = parse_program(
      "bf16 In[B=128, D=8192]?\nbf16 Win[D, F=32768]?\nbf16 Wout[F, D]?\nH = gelu(In * Win)\nOut = H * Wout like In\n",
      mesh);
  const ProgramPlan plan = meshmul::plan(program, mesh, find_hardware("v5e:2x2"));
  ArrayTable arrays(mesh);
  const PlanData data = plan_data(plan, arrays);
  EXPECT_THAT(data.title, HasSubstr("= gelu(In * Win)"));
  EXPECT_EQ(data.tables[0].title, "H = gelu(In * Win)");
  std::size_t steps = 0;
  for (const PlannedPart& part : plan.best.parts) steps += part.steps.size();
  EXPECT_EQ(data.steps.size(), steps);
  EXPECT_EQ(data.tables.back().title, "Rejected strategies");
  for (const Table& table : data.tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.head.size()) << table.title;
}

TEST(PlanData, OfAScheduleAloneIsWhatItsContractClaims) {
  const Schedule schedule = meshmul::testing::two_ranks();
  ArrayTable arrays(schedule.contract.mesh);
  const PlanData data = contract_data(schedule.contract, arrays);
  EXPECT_EQ(data.title, "f32 A[I=4_X] -> f32 A[I=4]");
  ASSERT_EQ(data.steps.size(), 1U);
  EXPECT_THAT(data.steps[0].before, ElementsAre(1));
  EXPECT_THAT(data.steps[0].after, ElementsAre(0));
  EXPECT_TRUE(data.tables.empty());
}

}  // namespace
}  // namespace meshmul::drawing
