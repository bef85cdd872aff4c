#include "plan/report/loser_rows.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using testing::ElementsAre;

/// A plan whose losers are slices along X or Y to one of two shardings.
Plan plan_with_losers() {
  Plan plan;
  plan.mesh = {{"X", 2}, {"Y", 2}};
  const auto slice = [&](const char* from, const char* to) {
    const ArrayType whole = parse_array(from, plan.mesh), part = parse_array(to, plan.mesh);
    return std::vector<Step>{Move{MoveKind::kSlice, Operand::kA, whole, part, std::vector<int>{0}, {}}};
  };
  plan.rejected = {{slice("A[I=4, J=4]", "A[I_X, J]"), 2e-6, 64, "1 us slower"},
                   {slice("A[I=4, J=4]", "A[I, J_X]"), 2e-6, 64, "1 us slower"},
                   {slice("A[I=4, J=4]", "A[I, J_X]"), 3e-6, 64, "2 us slower"}};
  return plan;
}

TEST(LoserRows, CountWaysThatLookTheSame) {
  EXPECT_THAT(loser_rows(plan_with_losers()),
              ElementsAre(ElementsAre("2 us", "64 B", "Slice_X of A (2 ways)", "1 us slower"),
                          ElementsAre("3 us", "64 B", "Slice_X of A", "2 us slower")));
}

TEST(LoserRows, AreNoneWhereNothingLost) { EXPECT_TRUE(loser_rows(Plan()).empty()); }

}  // namespace
}  // namespace meshmul
