// The executors of this machine carry out what plans are lowered to, on meshes of 1 to 16 ranks.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <tuple>

#include "meshmul/lower.hpp"
#include "schedule/checked_run.hpp"

namespace meshmul {
namespace {

struct MeshedStatement {
  const char* mesh;
  const char* statement;
};

// Cut outer indices, contracted ones, batch indices, partial inputs and outputs; sizes that leave short and empty blocks.
constexpr MeshedStatement kStatements[] = {
    {"X=1", "A[I=5_X, J=4] * B[J, K=3] -> C[I_X, K]"},
    {"X=2", "bf16 A[I=12_X, J=8] * B[J, K=6_X] -> C[I_X, K]"},
    {"X=3", "A[I=7, J=8_X] * B[J_X, K=6] -> C[I_X, K]"},
    {"X=5", "f64 A[I=7_X, J=9] -> A[I, J_X]"},
    {"X=2,Y=3", "A[I=7_X, J=9]{U_Y} * B[J, K=6] -> C[I, K_Y]"},
    {"X=2,Y=4", "A[B=4_X, I=3, J=6_Y] * B[B_Y, J_X, K=5] -> C[B, K_X, I]"},
    {"X=4,Y=4", "i8 A[I=12_X, J=8_Y] * B[J_X, K=6_Y] -> C[I_X, K_Y]"},
    {"X=16", "A[I=33_X, J=7] * B[J, K=5] -> C[I, K_X]"},
    {"X=16", "AllReduce_X(A[I=40]{U_X})"},
};

class LoweredPlans : public ::testing::TestWithParam<std::tuple<std::string, Algorithm, MeshedStatement>> {};

TEST_P(LoweredPlans, GiveTheRightNumbers) {
  const auto& [executor_name, algorithm, meshed] = GetParam();
  const Executor& executor = *find_executor(executor_name);
  const Mesh mesh = parse_mesh(meshed.mesh);
  const Plan best = plan(parse_statement(meshed.statement, mesh), mesh, find_hardware("cpu"));
  const Schedule schedule = legalize(lower(best, {algorithm}), executor.capabilities());
  ExecuteOptions options;
  options.poison = true;
  options.kernels = MESHMUL_TEST_KERNELS;
  testing::expect_right_numbers_on(executor, schedule, options);
}

std::string name_of(const ::testing::TestParamInfo<LoweredPlans::ParamType>& test) {
  const auto& [executor, algorithm, meshed] = test.param;
  std::string text = fmt::format("{}_{}_{}", executor, name(algorithm), meshed.mesh);
  for (char& letter : text)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return fmt::format("{}_{}", text, test.index);
}

INSTANTIATE_TEST_SUITE_P(Threads, LoweredPlans,
                         ::testing::Combine(::testing::Values("threads"),
                                            ::testing::Values(Algorithm::kDirect, Algorithm::kRing,
                                                              Algorithm::kRingBothWays),
                                            ::testing::ValuesIn(kStatements)),
                         name_of);

// What is shared with threads is tested there.
INSTANTIATE_TEST_SUITE_P(Processes, LoweredPlans,
                         ::testing::Combine(::testing::Values("processes"), ::testing::Values(Algorithm::kAutomatic),
                                            ::testing::ValuesIn(kStatements)),
                         name_of);

}  // namespace
}  // namespace meshmul
