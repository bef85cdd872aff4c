#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(Unreduce, OneRankKeepsTheArrayAndTheOthersHoldZeros) { expect_all_right(unreduce_cases(), Algorithm::kDirect); }

}  // namespace
}  // namespace meshmul::testing
