#include "tune/sides.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 4}};

StatementsSteps steps(std::string_view statement) {
  return steps_of(plan(parse_statement(statement, kMesh), kMesh, find_hardware("cpu")));
}

constexpr std::string_view kGather = "A[M=510_X, K=512] * B[K, N=512_X] -> C[M, N_X]";
constexpr std::string_view kReduce = "A[M=510, K=512_X] * B[K_X, N=512] -> C[M_X, N]";

TEST(Sides, TellHowManyRowsTheLargestShardHas) {
  const Sides gather = sides_of(steps(kGather), kMesh);
  EXPECT_TRUE(gather.gather);
  EXPECT_FALSE(gather.reduce);
  EXPECT_EQ(gather.gathered_rows, 128);
  const Sides reduce = sides_of(steps(kReduce), kMesh);
  EXPECT_FALSE(reduce.gather);
  EXPECT_TRUE(reduce.reduce);
  EXPECT_EQ(reduce.summed_rows, 128);
}

TEST(Sides, OfAPlanWhoseProductMovesNothingAreEmpty) {
  const Sides none = sides_of(steps("A[M=512_X, K=512] * B[K, N=512] -> C[M_X, N]"), kMesh);
  EXPECT_FALSE(none.gather || none.reduce);
}

TEST(Sides, WhatIsOverlappedIsNotLeft) {
  OverlapOptions pull;
  pull.gather = Design::kPull;
  EXPECT_EQ(moves_left(steps(kGather), {}).size(), 1U);
  EXPECT_TRUE(moves_left(steps(kGather), pull).empty());
  EXPECT_EQ(moves_left(steps(kReduce), pull).size(), 1U) << "sums stay sequential";
  EXPECT_FALSE(overlapped_sides(steps(kReduce), pull, kMesh).reduce);
}

}  // namespace
}  // namespace meshmul
