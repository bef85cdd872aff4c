#include "measure/matmul_case.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "meshmul/error.hpp"

namespace meshmul::measure {
namespace {

MatmulCase prepared(const char* text) {
  const Mesh mesh{{"X", 2}};
  return prepare_matmul(parse_statement(text, mesh), mesh, find_hardware("cpu"), *find_executor("threads"),
                        [] { return false; });
}

std::vector<std::string> names(const MatmulCase& matmul) {
  std::vector<std::string> names;
  for (const MatmulRow& row : matmul.rows) names.push_back(row.name);
  return names;
}

TEST(MatmulCase, EveryDesignStandsBesideTheChoiceAndWhatOthersDo) {
  const MatmulCase matmul = prepared("A[M=64_X, K=32] * B[K, N=16_X] -> C[M, N_X]");
  EXPECT_EQ(matmul.flops, 2.0 * 64 * 32 * 16);
  EXPECT_THAT(names(matmul), testing::IsSupersetOf({"planner's choice", "sequential", "pull", "push", "ring",
                                                    "collective, then BLAS", "BLAS, one process"}));
}

TEST(MatmulCase, EveryWayRuns) {
  MatmulCase matmul = prepared("A[M=64, K=32_X] * B[K_X, N=16] -> C[M_X, N]");
  EXPECT_GT(matmul.products_alone.timed(), 0);
  for (const MatmulRow& row : matmul.rows)
    for (int run = 0; run < 2; ++run) EXPECT_GT(row.timed(), 0) << row.name;
}

TEST(MatmulCase, OneProcessIsLeftOutWhereBlasHasNoSuchProduct) {
  EXPECT_THAT(names(prepared("bf16 A[M=64_X, K=32] * B[K, N=16] -> C[M_X, N]")),
              testing::Not(testing::Contains("BLAS, one process")));
}

TEST(MatmulCase, AChangeOfShardingIsRefused) { EXPECT_THROW(prepared("A[M=64_X, K=32] -> A[M, K]"), Error); }

}  // namespace
}  // namespace meshmul::measure
