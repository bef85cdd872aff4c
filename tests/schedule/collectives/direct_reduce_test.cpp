#include "schedule/expect_all_right.hpp"

namespace meshmul::testing {
namespace {

TEST(DirectReduce, ReduceScattersRight) { expect_all_right(reduce_scatter_cases(), Algorithm::kDirect); }
TEST(DirectReduce, AllReducesRight) { expect_all_right(all_reduce_cases(), Algorithm::kDirect); }

}  // namespace
}  // namespace meshmul::testing
