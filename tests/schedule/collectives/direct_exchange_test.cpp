#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(DirectExchange, GathersRight) { expect_all_right(all_gather_cases(), Algorithm::kDirect); }
TEST(DirectExchange, ExchangesAllToAllRight) { expect_all_right(all_to_all_cases(), Algorithm::kDirect); }
TEST(DirectExchange, PermutesRight) { expect_all_right(permute_cases(), Algorithm::kDirect); }
TEST(DirectExchange, RedistributesRightAlsoTransposed) { expect_all_right(redistribute_cases(), Algorithm::kDirect); }
TEST(DirectExchange, SlicesRight) { expect_all_right(slice_cases(), Algorithm::kDirect); }

}  // namespace
}  // namespace meshmul::testing
