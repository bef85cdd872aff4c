#include <gtest/gtest.h>

#include <string>

#include "meshmul/plan.hpp"

namespace meshmul {
namespace {

Plan copied() {
  Plan plan;
  plan.statement = parse_statement("A[I=4] -> A[I]", plan.mesh);
  plan.hardware = "v5p";
  const ArrayType array = parse_array("A[I=4]", plan.mesh);
  plan.steps = {Move{MoveKind::kSlice, Operand::kA, array, array, {}, {}}};
  plan.peak_bytes = 32;
  return plan;
}

constexpr const char* kSteps =
    "# Plan\n\n`f32 A[I=4] -> f32 A[I=4]`\n\nmesh of one device on v5p, model exact\n\n## Steps\n\n"
    "| step | types | bytes or FLOPs | hops | bound | time | made of |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n"
    "| copy of A | `A[I] -> A[I]` | 0 B |  | free | 0 s |  |\n\n"
    "- 0 s without overlap, at best 0 s with; 32 B a device\n";

TEST(PlanMarkdown, LeavesOutWhatThereIsNot) { EXPECT_EQ(plan_markdown(copied()), kSteps); }

TEST(PlanMarkdown, ListsTheAxesAndWhatLost) {
  Plan plan = copied();
  plan.cases = {"X: case 1", "Y: case 4"};
  plan.rejected = {{plan.steps, 2e-6, 64, "copy of A: 2 us slower"}};
  EXPECT_EQ(plan_markdown(plan),
            std::string(kSteps) +
                "\n## Mesh axes\n\n- X: case 1\n- Y: case 4\n"
                "\n## Rejected\n\n| time | memory | steps | why it lost |\n"
                "| --- | --- | --- | --- |\n| 2 us | 64 B | copy of A | copy of A: 2 us slower |\n");
}

}  // namespace
}  // namespace meshmul
