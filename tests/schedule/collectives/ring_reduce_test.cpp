#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(RingReduce, ReduceScattersRightOneWay) { expect_all_right(reduce_scatter_cases(), Algorithm::kRing); }
TEST(RingReduce, ReduceScattersRightBothWays) { expect_all_right(reduce_scatter_cases(), Algorithm::kRingBothWays); }
TEST(RingReduce, AllReducesRightOneWay) { expect_all_right(all_reduce_cases(), Algorithm::kRing); }
TEST(RingReduce, AllReducesRightBothWays) { expect_all_right(all_reduce_cases(), Algorithm::kRingBothWays); }

TEST(RingReduce, ReduceScattersRightAlongAllAxesAtOnce) {
  const auto cases = on_large_meshes(MoveKind::kReduceScatter, "f32 A[I={}, J=3]{{U_XY}} -> A[I_XY, J]",
                                     "f32 A[I={}, J=5]{{U_XYZ}} -> A[I_ZX, J_Y]");
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kRingBothWays}) expect_all_right(cases, algorithm);
}

TEST(RingReduce, AllReducesRightAlongAllAxesAtOnce) {
  const auto cases =
      on_large_meshes(MoveKind::kAllReduce, "i32 A[I={}, J=3]{{U_XY}} -> A[I, J]", "f32 A[I={}]{{U_XYZ}} -> A[I]");
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kRingBothWays}) expect_all_right(cases, algorithm);
}

}  // namespace
}  // namespace meshmul::testing
