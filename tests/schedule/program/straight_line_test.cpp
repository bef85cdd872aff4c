#include "schedule/program/straight_line.hpp"

#include <gmock/gmock.h>

#include "plan/toy_hardware.hpp"
#include "schedule/program/program_contract.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

const Mesh kMesh{{"X", 2}};

ProgramPlan plan_of(const std::string& text) {
  return plan(parse_program(text, kMesh, Dtype::kF32), kMesh, testing::toy_hardware());
}

std::vector<std::string> statements_of(const ProgramPlan& plan) {
  std::vector<std::string> texts;
  for (const ContractStatement& statement : contract_statements(straight_line(plan.best), plan.best.program)) {
    texts.push_back(to_string(statement, kMesh));
    EXPECT_EQ(to_string(parse_contract_statement(texts.back(), kMesh), kMesh), texts.back());
  }
  return texts;
}

TEST(StraightLine, WritesOutEachPass) {
  EXPECT_THAT(statements_of(plan_of("X[B=4, D=3]\nW[L=2, D, E=3_X]\nV[L, E_X, D]\n"
                                    "repeat L as l {\n  H[B, E_X] = relu(X * W[l])\n  X = H * V[l] like X\n}\n")),
              ElementsAre("f32 X[B=4, D=3] * f32 Wl0[D=3, E=3_X] -> f32 Hl0sum[B=4, E=3_X]",
                          "f32 Hl0[B=4, E=3_X] = relu(f32 Hl0sum[B=4, E=3_X])",
                          "f32 Hl0[B=4, E=3_X] * f32 Vl0[E=3_X, D=3] -> f32 Xl0[B=4, D=3]",
                          "f32 Xl0[B=4, D=3] * f32 Wl1[D=3, E=3_X] -> f32 Hl1sum[B=4, E=3_X]",
                          "f32 Hl1[B=4, E=3_X] = relu(f32 Hl1sum[B=4, E=3_X])",
                          "f32 Hl1[B=4, E=3_X] * f32 Vl1[E=3_X, D=3] -> f32 Xout[B=4, D=3]"));
}

TEST(StraightLine, AnArrayThatPassesBeginElsewhereIsMoved) {
  const ProgramPlan planned = plan_of(
      "X[B=4_X, D=3]\nw[L=2]\nrepeat L as l {\n  Y[B, D] = scale(X, w[l])\n  X[B, D_X] = relu(Y)\n}\nZ[B_X, D] = "
      "relu(X)\n");
  const StraightLine line = straight_line(planned.best);
  EXPECT_EQ(line.lines.back().statement, &std::get<ProgramStatement>(planned.best.program.items.back()));
  std::size_t num_moves = 0;
  for (const Line& each : line.lines)
    if (each.statement == nullptr) ++num_moves;
  EXPECT_THAT(line.lines, SizeIs(num_moves + 5));
  EXPECT_GE(num_moves, 1U);
}

TEST(StraightLine, NamesAreThoseOfNoOtherArray) {
  const ProgramPlan planned = plan_of("X[B=4, D=3]\nXout[D, D2=3]\nY = X * Xout\nY = relu(Y)\nX[B, D2] = relu(Y)\n");
  const StraightLine line = straight_line(planned.best);
  std::vector<std::string> names;
  for (const LineArray& array : line.arrays) names.push_back(array.type.name);
  EXPECT_THAT(names, ElementsAre("X", "Xout", "Y", "Yn2", "Xoutn2"));
}

TEST(StraightLine, AnArrayTimesItselfHasTwoNames) {
  EXPECT_THAT(statements_of(plan_of("X[B=4, D=3]\nG[D] = X * X\n")),
              ElementsAre("f32 Xagain[B=4, D=3] = convert(f32 X[B=4, D=3])",
                          "f32 X[B=4, D=3] * f32 Xagain[B=4, D=3] -> f32 G[D=3]"));
}

}  // namespace
}  // namespace meshmul
