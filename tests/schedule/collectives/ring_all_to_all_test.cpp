#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(RingAllToAll, IsRightOneWay) { expect_all_right(all_to_all_cases(), Algorithm::kRing); }
TEST(RingAllToAll, IsRightBothWays) { expect_all_right(all_to_all_cases(), Algorithm::kRingBothWays); }

}  // namespace
}  // namespace meshmul::testing
