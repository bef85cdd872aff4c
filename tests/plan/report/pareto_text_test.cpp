#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "meshmul/pareto.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 2}};

/// A plan of one copy.
Plan copied(const std::string& statement, double seconds, std::int64_t peak_bytes) {
  Plan plan;
  plan.mesh = kMesh;
  plan.hardware = "v5p";
  plan.statement = parse_statement(statement, kMesh);
  const ArrayType array = parse_array("A[I=4]", kMesh);
  plan.steps = {Move{MoveKind::kSlice, Operand::kA, array, array, {}, {}}};
  plan.seconds_sequential = seconds;
  plan.seconds_overlapped = seconds / 2;
  plan.peak_bytes = peak_bytes;
  return plan;
}

ProgramPlan planned_program() {
  const Program program = parse_program("A[I=4_X, J=2]\nB[I_X, J] = relu(A)\n", kMesh);
  PlanOptions options;
  options.memory_bytes = 300'000'000;
  return plan(program, kMesh, find_hardware("cpu"), options);
}

TEST(ParetoText, HasALineForEachPlan) {
  EXPECT_EQ(
      pareto_text({copied("A[I=4] -> A[I]", 2e-6, 2'000'000), copied("A[I=4] -> A[I]", 2.001e-6, 1'000'000)}),
      "f32 A[I=4] -> f32 A[I=4]\nmesh X=2 on v5p, model exact\n2 plans that no other beats in both time and memory\n\n"
      "  without overlap  at best with  a device  steps\n"
      "  2 us             1 us          2 MB      copy of A\n"
      "  2.001 us         1 us          1 MB      copy of A\n");
}

TEST(ParetoText, SaysSoWhereThereIsNothingToChoose) {
  EXPECT_EQ(pareto_text({copied("A[I=4] -> A[I]", 0, 32)}),
            "f32 A[I=4] -> f32 A[I=4]\nmesh X=2 on v5p, model exact\n"
            "one plan: the fastest takes no more memory than any other\n\n"
            "  without overlap  at best with  a device  steps\n"
            "  0 s              0 s           32 B      copy of A\n");
}

TEST(ParetoText, ShowsHowPlansCutWhatWasLeftOpen) {
  EXPECT_EQ(
      pareto_text({copied("A[I=4] -> A[I]", 2e-6, 32), copied("A[I=4] -> A[I_X]", 4e-6, 24)}),
      "f32 A[I=4] -> f32 A[I=4]?\nmesh X=2 on v5p, model exact\n2 plans that no other beats in both time and memory\n\n"
      "  without overlap  at best with  a device  arrays  steps\n"
      "  2 us             1 us          32 B      A[I]    copy of A\n"
      "  4 us             2 us          24 B      A[I_X]  copy of A\n");
}

TEST(ParetoText, OfAProgramHasStrategyMovesAndShardings) {
  ProgramPlan slow = planned_program();
  slow.best.seconds_sequential = 3e-6;
  slow.best.seconds_overlapped = 2e-6;
  slow.best.peak_bytes = 1000;
  slow.best.strategy = Strategy::kFsdp;
  EXPECT_EQ(
      pareto_text(std::vector{slow, slow}),
      "mesh X=2 on cpu:2, model exact\n2 plans that no other beats in both time and memory; the limit is 300 MB\n\n"
      "  without overlap  at best with  a device  strategy  moves\n"
      "  3 us             2 us          1 kB      FSDP      none\n"
      "    A[I_X, J], B[I_X, J]\n"
      "  3 us             2 us          1 kB      FSDP      none\n"
      "    A[I_X, J], B[I_X, J]\n");
}

TEST(ParetoMarkdown, IsADocumentWithATable) {
  EXPECT_EQ(pareto_markdown({copied("A[I=4] -> A[I]", 2e-6, 32), copied("A[I=4] -> A[I_X]", 4e-6, 24)}),
            "# Plans\n\n`f32 A[I=4] -> f32 A[I=4]?`\n\n"
            "mesh X=2 on v5p, model exact; 2 plans that no other beats in both time and memory\n\n"
            "| without overlap | at best with | a device | arrays | steps |\n"
            "| --- | --- | --- | --- | --- |\n"
            "| 2 us | 1 us | 32 B | `A[I]` | copy of A |\n"
            "| 4 us | 2 us | 24 B | `A[I_X]` | copy of A |\n");
}

TEST(ParetoMarkdown, OfAProgramHasTheShardingsInAColumn) {
  ProgramPlan plan = planned_program();
  plan.best.seconds_sequential = 3e-6;
  plan.best.seconds_overlapped = 2e-6;
  plan.best.peak_bytes = 1000;
  EXPECT_EQ(pareto_markdown(std::vector{plan}),
            "# Plans\n\nmesh X=2 on cpu:2, model exact; one plan: the fastest takes no more memory than any other\n\n"
            "| without overlap | at best with | a device | strategy | moves | arrays |\n"
            "| --- | --- | --- | --- | --- | --- |\n"
            "| 3 us | 2 us | 1 kB |  | none | `A[I_X, J], B[I_X, J]` |\n");
}

TEST(ParetoJson, HoldsEachPlanAsItIsAlone) {
  const Plan fast = copied("A[I=4] -> A[I]", 2e-6, 32);
  const auto json = nlohmann::json::parse(pareto_json({fast, copied("A[I=4] -> A[I]", 4e-6, 24)}));
  ASSERT_EQ(json["plans"].size(), 2U);
  EXPECT_EQ(json["plans"][0], nlohmann::json::parse(plan_json(fast)));
  EXPECT_EQ(json["plans"][1]["peak_bytes"], 24);
}

TEST(ParetoJson, HoldsEachPlanOfAProgram) {
  const ProgramPlan plan = planned_program();
  const auto json = nlohmann::json::parse(pareto_json(std::vector{plan}));
  EXPECT_EQ(json["plans"], nlohmann::json::array({nlohmann::json::parse(plan_json(plan))}));
}

}  // namespace
}  // namespace meshmul
