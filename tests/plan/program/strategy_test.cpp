#include "plan/program/strategy.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;

const Mesh kX2Y2{{"X", 2}, {"Y", 2}};

std::vector<std::string> weights(const std::string& text) {
  const Program program = parse_program(text, kX2Y2);
  const std::vector<bool> is_weight = weights_of(program);
  std::vector<std::string> names;
  for (std::size_t id = 0; id < is_weight.size(); ++id)
    if (is_weight[id]) names.push_back(program.values[id].type.name);
  return names;
}

TEST(Strategy, WeightsAreTheGivenArraysOfProductsWithoutTheFirst) {
  EXPECT_THAT(weights("X[B=4, D=4]?\nV[D, F=4]?\nW[F, D]?\nH = X * V\nY = H * W\n"), ElementsAre("V", "W"));
  EXPECT_THAT(weights("X[B=4, D=4]?\nV[F=4, D]?\nb[F]?\nY = relu(X)\nZ = V * Y\nA = bias(Z, b)\n"), ElementsAre("V"));
  EXPECT_THAT(weights("X[B=4, D=4]?\nY[B, D]?\nZ = mul(X, Y)\n"), ElementsAre());
}

TEST(Strategy, SlicesOfALoopAreWeightsOnBothSides) {
  EXPECT_THAT(weights("V[L=2, D, D2=4]?\nX[D=4, B=4]?\nU[D2, D]?\nrepeat L as l {\n  H = V[l] * X\n  X = U * H\n}\n"),
              ElementsAre("V", "U"));
}

/// That of the plan of a program all of whose shardings are written.
std::optional<Strategy> strategy(const std::string& text) {
  return plan(parse_program(text, kX2Y2), kX2Y2, find_hardware("v5e")).best.strategy;
}

TEST(Strategy, OfAPlanIsWhatItDoesWithItsWeights) {
  EXPECT_EQ(strategy("bf16 X[B=4096_XY, D=1024]\nV[D, F=1024]\nW[F, D]\nH[B_XY, F] = X * V\nY = H * W like X\n"),
            Strategy::kDataParallel);
  EXPECT_EQ(strategy("bf16 X[B=4096_XY, D=1024]\nV[D, F=1024_XY]\nW[F_XY, D]\nH[B_XY, F] = X * V\nY = H * W like X\n"),
            Strategy::kFsdp);
  EXPECT_EQ(strategy("bf16 X[B=4, D=8192]\nV[D, F=8192_XY]\nW[F_XY, D]\nH[B, F_XY] = X * V\nY = H * W like X\n"),
            Strategy::kTensorParallel);
  EXPECT_EQ(
      strategy("bf16 X[B=4096_X, D=1024]\nV[D_X, F=8192_Y]\nW[F_Y, D_X]\nH[B_X, F_Y] = X * V\nY = H * W like X\n"),
      Strategy::kFsdpAndTensorParallel);
  EXPECT_EQ(strategy("bf16 X[B=4096_XY, D=1024]\nV[D, F=1024_XY]\nW[F, D]\nH[B_XY, F] = X * V\nY = H * W like X\n"),
            Strategy::kMixed);
  EXPECT_EQ(strategy("X[B=4, D=4]?\nY[B, D]?\nZ = mul(X, Y)\n"), std::nullopt);
}

}  // namespace
}  // namespace meshmul
