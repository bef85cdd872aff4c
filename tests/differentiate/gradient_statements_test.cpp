// The statements of a backward pass, and which moves of it go with which of the forward pass.

#include <gmock/gmock.h>

#include "meshmul/differentiate.hpp"
#include "meshmul/plan.hpp"
#include "plan/toy_hardware.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

const Mesh kMesh{{"X", 4}, {"Y", 2}};

std::vector<std::string> gradients_of(const std::string& text) {
  std::vector<std::string> texts;
  for (const Statement& statement : gradient_statements(parse_statement(text, kMesh), kMesh))
    texts.push_back(to_string(statement, kMesh));
  return texts;
}

/// The moves of the plan of a statement over X=4: `AllGather of dA`.
std::vector<std::string> moves_of(const std::string& text) {
  const Mesh x4{{"X", 4}};
  std::vector<std::string> moves;
  for (const Step& step : plan(parse_statement(text, x4), x4, testing::toy_hardware()).steps)
    if (const auto* move = std::get_if<Move>(&step); move != nullptr && !move->axes.empty())
      moves.push_back(std::string(name(move->kind)) + " of " + move->to.name);
  return moves;
}

TEST(GradientStatements, AProductHasTwo) {
  EXPECT_THAT(gradients_of("A[I=8_X, J=4] * B[J, K=6_Y] -> C[I_X, K_Y]"),
              ElementsAre("f32 dC[I=8_X, K=6_Y] * f32 B[J=4, K=6_Y] -> f32 dA[I=8_X, J=4]",
                          "f32 A[I=8_X, J=4] * f32 dC[I=8_X, K=6_Y] -> f32 dB[J=4, K=6_Y]"));
}

TEST(GradientStatements, TermsOfASumHaveOneCotangentInCommon) {
  EXPECT_THAT(gradients_of("A[I=8, J=4_X] * B[J_X, K=6] -> C[I, K]{U_X}"),
              ElementsAre("f32 dC[I=8, K=6] * f32 B[J=4_X, K=6] -> f32 dA[I=8, J=4_X]",
                          "f32 A[I=8, J=4_X] * f32 dC[I=8, K=6] -> f32 dB[J=4_X, K=6]"));
}

TEST(GradientStatements, AChangeOfShardingGoesBack) {
  EXPECT_THAT(gradients_of("A[I=8_X, J=4] -> A[I, J_X]"), ElementsAre("f32 dA[I=8, J=4_X] -> f32 dA[I=8_X, J=4]"));
}

TEST(GradientStatements, ACollectiveHasItsTransposed) {
  EXPECT_THAT(gradients_of("AllGather_X(A[I=8_X, J=4])"), ElementsAre("ReduceScatter_X,I(f32 dA[I=8, J=4]{U_X})"));
}

TEST(GradientStatements, NeedNamesAndFloats) {
  EXPECT_EQ(message_of([] { gradients_of("i8 A[I=8] -> A[I]"); }), "A is i8; gradients are of floating-point arrays");
  EXPECT_EQ(message_of([] { gradients_of("f8e4m3 A[I=8, J=4] * B[J, K=6] -> C[I, K]"); }),
            "C is bf16 but A is f8e4m3, so that no product has both as inputs; convert A first");
}

TEST(Pairs, AGatherGoesWithAReduceScatterOfSumsAndWithASliceOfWhatIsComplete) {
  EXPECT_THAT(moves_of("W[D=8_X, F=6] -> W[D, F]"), ElementsAre("AllGather of W"));
  EXPECT_THAT(moves_of("dW[D=8, F=6]{U_X} -> dW[D_X, F]"), ElementsAre("ReduceScatter of dW"));
  EXPECT_THAT(moves_of("dW[D=8, F=6] -> dW[D_X, F]"), ElementsAre("Slice of dW"));
}

TEST(Pairs, AnAllReduceGoesWithAnAllReduceOfSumsAndWithNothingOfWhatIsComplete) {
  EXPECT_THAT(moves_of("C[I=8, K=6]{U_X} -> C[I, K]"), ElementsAre("AllReduce of C"));
  EXPECT_THAT(moves_of("dC[I=8, K=6]{U_X} -> dC[I, K]"), ElementsAre("AllReduce of dC"));
  EXPECT_THAT(moves_of("dC[I=8, K=6] -> dC[I, K]"), ElementsAre());
}

TEST(Pairs, TheWeightsOfFsdpAreGatheredForwardAndTheirGradientsScattered) {
  EXPECT_THAT(moves_of("X[B=4096_X, D=64] * W[D_X, F=64] -> Y[B_X, F]"), ElementsAre("AllGather of W"));
  EXPECT_THAT(moves_of("dY[B=4096_X, F=64] * W[D=64_X, F] -> dX[B_X, D]"), ElementsAre("AllGather of W"));
  EXPECT_THAT(moves_of("X[B=4096_X, D=64] * dY[B_X, F=64] -> dW[D_X, F]"), ElementsAre("ReduceScatter of dW"));
}

TEST(Pairs, ColumnsOfATensorParallelWeightNeedTheAllReduceOnTheWayBackAndRowsOnTheWayThere) {
  EXPECT_THAT(moves_of("X[B=64, D=64] * W[D, F=4096_X] -> H[B, F_X]"), ElementsAre());
  EXPECT_THAT(moves_of("dH[B=64, F=4096_X] * W[D=64, F_X] -> dX[B, D]"), ElementsAre("AllReduce of dX"));
  EXPECT_THAT(moves_of("X[B=64, D=64] * dH[B, F=4096_X] -> dW[D, F_X]"), ElementsAre());

  EXPECT_THAT(moves_of("H[B=64, F=4096_X] * V[F_X, D=64] -> Y[B, D]"), ElementsAre("AllReduce of Y"));
  EXPECT_THAT(moves_of("dY[B=64, D=64] * V[F=4096_X, D] -> dH[B, F_X]"), ElementsAre());
  EXPECT_THAT(moves_of("H[B=64, F=4096_X] * dY[B, D=64] -> dV[F_X, D]"), ElementsAre());
}

TEST(Pairs, RepeatedWorkLeavesCompleteCotangents) {
  // Every device along X does the same: nothing is left to be added.
  EXPECT_THAT(moves_of("dY[B=8, F=6] * W[D=4, F] -> dX[B, D]"), ElementsAre());
  EXPECT_THAT(moves_of("X[B=8, D=4] * dY[B, F=6] -> dW[D, F]"), ElementsAre());
}

}  // namespace
}  // namespace meshmul
