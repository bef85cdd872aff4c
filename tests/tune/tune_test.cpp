#include "meshmul/tune.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 4}};

Plan plan_of(std::string_view statement, const Hardware& hardware) {
  return plan(parse_statement(statement, kMesh), kMesh, hardware);
}

bool is_of_all(const LowerOptions&) { return true; }
bool is_of_all(const ProgramWay& way) { return way.parts.empty(); }

/// `plan` is that of a statement or of a program.
template <class AnyPlan>
void expect_all_ways_in_order(const AnyPlan& plan, const Hardware& hardware) {
  const auto candidates = tune(plan, hardware, {});
  EXPECT_EQ(std::ranges::count_if(candidates, [](const auto& candidate) { return is_of_all(candidate.lower); }),
            std::ssize(ways_to_build(plan, hardware, {})));
  EXPECT_TRUE(std::ranges::is_sorted(candidates, {}, [](const auto& candidate) { return candidate.makespan_ps; }));
  for (const auto& candidate : candidates) {
    const Schedule schedule = legalize(lower(plan, candidate.lower), {});
    EXPECT_EQ(candidate.makespan_ps, simulate(schedule, hardware, topology_of(plan, hardware)).makespan_ps);
    EXPECT_EQ(candidate.bytes_per_rank, bytes_per_rank(schedule));
  }
}

TEST(Tune, OrdersAllWaysByTheirSimulatedTime) {
  const Hardware hardware = find_hardware("cpu");
  const Plan plan = plan_of("A[M=512_X, K=512] * B[K, N=512_X] -> C[M, N_X]", hardware);
  expect_all_ways_in_order(plan, hardware);
}

TEST(Tune, OfEquallyFastWaysTheSimplestComesFirst) {
  const Hardware hardware = find_hardware("cpu");
  const Plan plan = plan_of("A[M=512_X, K=512] * B[K, N=512] -> C[M_X, N]", hardware);
  EXPECT_EQ(fastest(tune(plan, hardware, {})), (LowerOptions{Algorithm::kDirect, {}}));
}

TEST(Tune, AnotherMachineIsAnotherQuestion) {
  Hardware slow = find_hardware("cpu");
  slow.network.link_bytes_per_second /= 100;
  const Plan plan = plan_of("A[M=512_X, K=512] -> A[M, K]", slow);
  const std::int64_t on_slow = tune(plan, slow, {}).front().makespan_ps;
  EXPECT_LT(tune(plan, find_hardware("cpu"), {}).front().makespan_ps, on_slow);
  EXPECT_EQ(tune(plan, slow, {}).front().makespan_ps, on_slow);
}

TEST(Tune, AProgramIsBuiltInEachWayAsAWhole) {
  const Hardware hardware = find_hardware("cpu");
  const Program program =
      parse_program("X[B=64, D=32_X]\nW1[D, F=64_X]\nW2[F_X, D]\nH = relu(X * W1)\nY = H * W2 like X\n", kMesh);
  const ProgramPlan plan = meshmul::plan(program, kMesh, hardware);
  expect_all_ways_in_order(plan, hardware);
}

TEST(Tune, AMixIsFasterThanEachWayByItself) {
  const Hardware hardware = find_hardware("h100");
  const Program program =
      parse_program("X[B=64, D=512_X]\nW1[D, F=512_X]\nW2[F_X, D]\nH = relu(X * W1)\nY = H * W2 like X\n", kMesh);
  const ProgramPlan plan = meshmul::plan(program, kMesh, hardware);
  expect_all_ways_in_order(plan, hardware);
  const std::vector<ProgramCandidate> candidates = tune(plan, hardware, {});
  ASSERT_FALSE(is_of_all(candidates.front().lower));
  EXPECT_LT(candidates[0].makespan_ps, candidates[1].makespan_ps);
  EXPECT_EQ(candidates.front().lower.parts.size(), 2U) << "each product is named";
  const std::int64_t most = candidates.front().bytes_per_rank - 1;
  for (const ProgramCandidate& candidate : tune(plan, hardware, {}, {}, most))
    EXPECT_TRUE(is_of_all(candidate.lower) || candidate.bytes_per_rank <= most);
}

TEST(Fastest, IsTheFirstThatFits) {
  const LowerOptions ring{Algorithm::kRing, {}};
  const LowerOptions both{Algorithm::kRingBothWays, {}};
  const std::vector<Candidate> candidates = {{ring, 10, 2000}, {both, 20, 1000}};
  EXPECT_EQ(fastest(candidates), ring);
  EXPECT_EQ(fastest(candidates, 2000), ring);
  EXPECT_EQ(fastest(candidates, 1999), both);
  EXPECT_EQ(fastest(candidates, 999), (LowerOptions{Algorithm::kDirect, {}})) << "whose size compile then refuses";
}

}  // namespace
}  // namespace meshmul
