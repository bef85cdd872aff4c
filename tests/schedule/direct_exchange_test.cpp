#include <gmock/gmock.h>

#include "schedule/checked_run.hpp"
#include "schedule/move_cases.hpp"

namespace meshmul {
namespace {

using testing::MoveCase;

void expect_all_right(const std::vector<MoveCase>& cases) {
  for (const MoveCase& move : cases) {
    SCOPED_TRACE(move.str());
    testing::expect_right_numbers(lower(move.plan()));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(DirectExchange, GathersRight) { expect_all_right(testing::all_gather_cases()); }
TEST(DirectExchange, ExchangesAllToAllRight) { expect_all_right(testing::all_to_all_cases()); }
TEST(DirectExchange, PermutesRight) { expect_all_right(testing::permute_cases()); }
TEST(DirectExchange, RedistributesRightAlsoTransposed) { expect_all_right(testing::redistribute_cases()); }
TEST(DirectExchange, SlicesRight) { expect_all_right(testing::slice_cases()); }
TEST(DirectReduce, ReduceScattersRight) { expect_all_right(testing::reduce_scatter_cases()); }
TEST(DirectReduce, AllReducesRight) { expect_all_right(testing::all_reduce_cases()); }
TEST(Unreduce, IsRight) { expect_all_right(testing::unreduce_cases()); }

}  // namespace
}  // namespace meshmul
