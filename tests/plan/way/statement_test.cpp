#include <gtest/gtest.h>

#include "meshmul/way.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 4}, {"Y", 2}};

bool is_way(const char* text) { return to_way(parse_statement(text, kMesh), kMesh).has_value(); }

std::string statement_of(const char* text) {
  const auto statement = to_statement(parse_way(text, kMesh));
  return statement ? to_string(*statement, kMesh) : "none";
}

TEST(WayOfAStatement, IsThereWhereOneStepIsEnough) {
  EXPECT_TRUE(is_way("AllGather_X(A[I_X])"));
  EXPECT_TRUE(is_way("A[I_X] -> A[I]"));
  EXPECT_TRUE(is_way("A[I, J] -> A[I_X, J_Y]"));
  EXPECT_TRUE(is_way("A[I_X, J] * B[J, K] -> C[I_X, K]"));
  EXPECT_TRUE(is_way("A[I, J_X] * B[J_X, K] -> C[I, K]{U_X}"));
  EXPECT_FALSE(is_way("A[I_X] -> A[I]?"));
  EXPECT_FALSE(is_way("A[I_X, J]{U_Y} -> A[I, J]"));
  EXPECT_FALSE(is_way("A[I, J_X] * B[J_X, K] -> C[I, K]"));
  EXPECT_FALSE(is_way("A[I, J_X] * B[J, K] -> C[I, K]"));
  EXPECT_FALSE(is_way("A[I, J]? * B[J, K] -> C[I, K]"));
}

TEST(StatementOfAWay, GoesFromTheFirstTypesToTheLast) {
  EXPECT_EQ(statement_of("AllGather_X(A[I_X, J_Y])"), "f32 A[I_X, J_Y] -> f32 A[I, J_Y]");
  EXPECT_EQ(statement_of("AllGather_X(A[I_X, J]); A[I, J] -> A[J_Y, I]"), "f32 A[I_X, J] -> f32 A[J_Y, I]");
  EXPECT_EQ(statement_of("AllGather_X(Y[D_X, F]); X[B, D] * Y[D, F] -> Z[B, F]; Z[B, F] -> Z[B_Y, F]"),
            "f32 X[B, D] * f32 Y[D_X, F] -> f32 Z[B_Y, F]");
}

TEST(StatementOfAWay, IsMissingWhereThereIsMoreThanOne) {
  EXPECT_EQ(statement_of("AllGather_X(A[I_X]); AllGather_X(B[I_X])"), "none");
  EXPECT_EQ(statement_of("A[I, J] * B[J, K] -> C[I, K]; C[I, K] * D[K, L] -> E[I, L]"), "none");
  EXPECT_EQ(statement_of("A[I, J] * B[J, K] -> C[I, K]; AllGather_X(D[I_X])"), "none");
}

}  // namespace
}  // namespace meshmul
