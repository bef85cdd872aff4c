#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(RingAllGather, IsRightOneWay) { expect_all_right(all_gather_cases(), Algorithm::kRing); }
TEST(RingAllGather, IsRightBothWays) { expect_all_right(all_gather_cases(), Algorithm::kRingBothWays); }

TEST(RingAllGather, IsRightAlongAllAxesAtOnce) {
  const auto cases =
      on_large_meshes(MoveKind::kAllGather, "f32 A[I={}_XY, J=3] -> A[I, J]", "f32 A[I={}_ZX, J=5_Y] -> A[I, J]");
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kRingBothWays}) expect_all_right(cases, algorithm);
}

}  // namespace
}  // namespace meshmul::testing
