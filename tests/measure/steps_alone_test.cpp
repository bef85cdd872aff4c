#include "measure/steps_alone.hpp"

#include <gmock/gmock.h>

#include "meshmul/compile.hpp"
#include "meshmul/plan.hpp"
#include "meshmul/verify.hpp"
#include "schedule/op_count.hpp"

namespace meshmul::measure {
namespace {

const Mesh kMesh{{"X", 2}};

TEST(StepsAlone, AProductIsOneCallOfEachRankAndNothingMoves) {
  const Plan planned =
      plan(parse_statement("A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]", kMesh), kMesh, find_hardware("cpu"));
  const Schedule schedule = product_alone(std::get<LocalProduct>(planned.steps.front()), kMesh);
  EXPECT_EQ(bytes_between_ranks(schedule), 0);
  EXPECT_EQ(num_ops(schedule), 2);
  EXPECT_THAT(verify(schedule), testing::IsEmpty());
}

TEST(StepsAlone, AFunctionOfArraysOfOneName) {
  const ArrayType h = std::get<Reshard>(parse_statement("H[B=8_X, F=6] -> H[B, F]", kMesh)).from;
  const Schedule schedule = map_alone(MapFunction::kMul, {h, h}, h, kMesh);
  EXPECT_EQ(bytes_between_ranks(schedule), 0);
  EXPECT_THAT(verify(schedule), testing::IsEmpty());
}

}  // namespace
}  // namespace meshmul::measure
