#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(RingAllGather, IsRightOneWay) { expect_all_right(all_gather_cases(), Algorithm::kRing); }
TEST(RingAllGather, IsRightBothWays) { expect_all_right(all_gather_cases(), Algorithm::kRingBothWays); }

}  // namespace
}  // namespace meshmul::testing
