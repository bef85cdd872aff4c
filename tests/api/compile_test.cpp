#include "meshmul/compile.hpp"

#include <gmock/gmock.h>

#include "meshmul/verify.hpp"

namespace meshmul {
namespace {

TEST(Compile, ReturnsAProvenScheduleForEveryBackend) {
  const Mesh mesh{{"X", 3}};
  const Statement statement = parse_statement("A[I=7_X, J=5] * B[J_X, K=4] -> C[I_X, K]", mesh);
  for (const Executor* executor : executors()) {
    const Compiled compiled = compile(statement, mesh, find_hardware("cpu"), *executor);
    EXPECT_TRUE(verify(compiled.schedule).empty()) << executor->name();
    EXPECT_EQ(compiled.schedule.num_ranks(), 3);
    EXPECT_EQ(compiled.schedule.contract.statements.front(), compiled.plan.statement);
  }
}

TEST(Compile, ProveThrowsAllFindings) {
  const Mesh mesh{{"X", 2}};
  const Statement statement = parse_statement("A[I=4_X, J=5] * B[J_X, K=4] -> C[I_X, K]", mesh);
  Schedule schedule = compile(statement, mesh, find_hardware("cpu"), *find_executor("reference")).schedule;
  for (RankProgram& rank : schedule.ranks) rank.lanes.clear();
  try {
    prove(schedule);
    FAIL() << "an empty program computes nothing";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("coverage"));
  }
}

}  // namespace
}  // namespace meshmul
