#include "execute/cpu/longest_op.hpp"

#include <gmock/gmock.h>

#include <string>

namespace meshmul {
namespace {

// A gemm of 2 x 1000 x 2000 x 500 FLOPs over 14 MB, and a shorter copy.
constexpr const char* kText = R"(meshmul schedule 1
mesh X=2
requires nothing
buffer a f32 [1000, 500] symmetric
buffer b f32 [500, 2000] symmetric
buffer c f32 [1000, 2000] symmetric
rank 0
  lane compute
    copy a[0:1, 0:500] b[0:1, 0:500]
    gemm c[0:1000, 0:2000] a[0:1000, 0:500] b[0:500, 0:2000] ij,jk->ik
)";

TEST(LongestOp, IsTheSumOfFlopsAndBytesByTheirRates) {
  EXPECT_NEAR(longest_op_seconds(parse_schedule(kText), "", 2), 2e9 / 1e10 + 14e6 / 1e9, 1e-9);
}

TEST(LongestOp, IsAHundredTimesLongerInFlopsForTheReferenceKernels) {
  EXPECT_NEAR(longest_op_seconds(parse_schedule(kText), "reference", 2), 2e9 / 1e8 + 14e6 / 1e9, 1e-9);
}

TEST(LongestOp, IsLongerWhereRanksShareCores) {
  const double alone = longest_op_seconds(parse_schedule(kText), "", 2);
  EXPECT_NEAR(longest_op_seconds(parse_schedule(kText), "", 1), 2 * alone, 1e-9);
}

TEST(LongestOp, IsAllGemmsThatAreDoneInOneGo) {
  std::string halves = kText;
  halves.replace(halves.find("    gemm"), std::string::npos,
                 "    gemm c[0:500, 0:2000] a[0:500, 0:500] b[0:500, 0:2000] ij,jk->ik\n"
                 "    gemm c[500:1000, 0:2000] a[500:1000, 0:500] b[0:500, 0:2000] ij,jk->ik\n");
  EXPECT_NEAR(longest_op_seconds(parse_schedule(halves), "", 2), 2e9 / 1e10 + 18e6 / 1e9, 1e-9);
}

TEST(LongestOp, IsNothingWithoutOps) {
  EXPECT_EQ(longest_op_seconds(parse_schedule("meshmul schedule 1\nmesh X=2\nrequires nothing\n"), "", 2), 0);
}

}  // namespace
}  // namespace meshmul
