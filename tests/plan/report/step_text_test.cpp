#include "plan/report/step_text.hpp"

#include <gtest/gtest.h>

#include "meshmul/way.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 2}, {"Y", 2}};

Step only_step(const char* text) {
  return price_way(parse_way(text, kMesh), kMesh, find_hardware("v5e")).steps.front();
}

TEST(StepText, NamesTheStepAndItsArray) {
  EXPECT_EQ(step_label(only_step("AllGather_XY(Q[I=8_X, J=4_Y])"), kMesh), "AllGather_XY of Q");
  EXPECT_EQ(step_label(only_step("Q[I=8, J=4] -> Q[I, J]"), kMesh), "copy of Q");
  EXPECT_EQ(step_label(only_step("Q[I=8, J=4] * W[J, K=2] -> H[I, K]"), kMesh), "local product");
}

TEST(StepText, IsWrittenInTheNotation) {
  for (const auto& [text, written] : {std::pair{"AllGather_X(A[I=8_X, J=4])", "AllGather_X(A[I_X, J])"},
                                      {"ReduceScatter_X,J(A[I=8, J=4]{U_X})", "ReduceScatter_X,J(A[I, J]{U_X})"},
                                      {"AllReduce_X(A[I=8, J=4]{U_XY})", "AllReduce_X(A[I, J]{U_XY})"},
                                      {"AllToAll_X,J(A[I=8_X, J=4])", "AllToAll_X,J(A[I_X, J])"},
                                      {"A[I=8, J=4] -> A[I_X, J]", "slice A[I, J] -> A[I_X, J]"},
                                      {"A[I=8_XY, J=4] -> A[I_YX, J]", "A[I_XY, J] -> A[I_YX, J]"},
                                      {"A[I=8, J=4] -> A[I, J]", "A[I, J] -> A[I, J]"},
                                      {"A[I=8_X, J=4] * B[J, K=2] -> C[I_X, K]", "A[I_X, J] * B[J, K] -> C[I_X, K]"}})
    EXPECT_EQ(in_notation(only_step(text), kMesh), written);
}

}  // namespace
}  // namespace meshmul
