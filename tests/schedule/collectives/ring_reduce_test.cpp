#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(RingReduce, ReduceScattersRightOneWay) { expect_all_right(reduce_scatter_cases(), Algorithm::kRing); }
TEST(RingReduce, ReduceScattersRightBothWays) { expect_all_right(reduce_scatter_cases(), Algorithm::kRingBothWays); }
TEST(RingReduce, AllReducesRightOneWay) { expect_all_right(all_reduce_cases(), Algorithm::kRing); }
TEST(RingReduce, AllReducesRightBothWays) { expect_all_right(all_reduce_cases(), Algorithm::kRingBothWays); }

}  // namespace
}  // namespace meshmul::testing
