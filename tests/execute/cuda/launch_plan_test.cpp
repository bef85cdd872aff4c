// The order of launches: every op once, what raises a signal ahead of what waits for it, products in runs.

#include "execute/cuda/launch_plan.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <string>
#include <vector>

#include "meshmul/error.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "schedule/effects.hpp"

namespace meshmul::cuda {
namespace {

KernelOf every_gemm() {
  return [](int, const Gemm&) { return std::optional(0); };
}

const Op& op_at(const Schedule& schedule, const Launch& launch, int i) {
  return schedule.ranks[static_cast<std::size_t>(launch.rank)]
      .lanes[static_cast<std::size_t>(launch.lane)]
      .ops[static_cast<std::size_t>(launch.first_op + i)];
}

/// Fails unless all ops are there once, each lane in its order, and each wait stands behind what it waits for.
void expect_sound(const Schedule& schedule, const std::vector<Launch>& launches) {
  std::map<std::pair<int, int>, int> next;
  std::map<std::pair<int, int>, std::uint64_t> raised;
  for (const Launch& launch : launches) {
    int& at = next[{launch.rank, launch.lane}];
    ASSERT_EQ(launch.first_op, at);
    ASSERT_GE(launch.num_ops, 1);
    at += launch.num_ops;
    bool multiplies = false;
    for (int i = 0; i < launch.num_ops; ++i) {
      const Op& op = op_at(schedule, launch, i);
      // Also within a run: a kernel must not wait for what it has yet to raise.
      if (const auto* wait = std::get_if<Wait>(&op)) {
        ASSERT_GE((raised[{launch.rank, wait->signal}]), wait->threshold);
      }
      multiplies = multiplies || std::holds_alternative<Gemm>(op);
    }
    ASSERT_EQ(launch.products, multiplies);
    for (int i = 0; i < launch.num_ops; ++i)
      for (const Raise& raise : raises_of(op_at(schedule, launch, i), launch.rank))
        ++raised[{raise.rank, raise.signal}];
  }
  for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
    const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
    for (int lane = 0; lane < static_cast<int>(lanes.size()); ++lane)
      EXPECT_EQ((next[{rank, lane}]), static_cast<int>(lanes[static_cast<std::size_t>(lane)].ops.size()));
  }
}

Schedule built(const std::string& statement, const std::string& mesh_text, const LowerOptions& options) {
  const Mesh mesh = parse_mesh(mesh_text);
  return legalize(lower(plan(parse_statement(statement, mesh), mesh, find_hardware("cpu")), options), {});
}

LowerOptions overlapped(Design design) {
  LowerOptions options;
  options.overlap.gather = design;
  options.overlap.reduce = design;
  return options;
}

std::vector<Launch> products_of(const std::vector<Launch>& launches) {
  std::vector<Launch> products;
  for (const Launch& launch : launches)
    if (launch.products) products.push_back(launch);
  return products;
}

constexpr const char* kGather = "bf16 A[M=64_X, K=32] * B[K, N=48_X] -> C[M, N_X]";

TEST(LaunchPlan, MakesOneRunOfAllProductsThatWaitForCopies) {
  for (const Design design : {Design::kPull, Design::kInPlace, Design::kRing}) {
    const Schedule schedule = built(kGather, "X=4", overlapped(design));
    const std::vector<Launch> launches = plan_launches(schedule, every_gemm());
    expect_sound(schedule, launches);
    EXPECT_EQ(products_of(launches).size(), 4U) << name(design);
  }
}

TEST(LaunchPlan, LaunchesOpByOpWhatNoKernelDoes) {
  const Schedule schedule = built(kGather, "X=4", overlapped(Design::kPull));
  const auto none = [](int, const Gemm&) { return std::optional<int>(); };
  for (const Launch& launch : plan_launches(schedule, none)) {
    EXPECT_EQ(launch.num_ops, 1);
    EXPECT_FALSE(launch.products);
  }
}

TEST(LaunchPlan, IsSoundForEveryDesignOfManyStatements) {
  constexpr std::pair<const char*, const char*> kStatements[] = {
      {kGather, "X=3"},
      {"bf16 A[M=64, K=32_X] * B[K_X, N=48] -> C[M_X, N]", "X=4"},
      {"bf16 A[M=64, K=32_X] * B[K_X, N=48] -> C[M, N]", "X=4"},
      {"bf16 A[M=61_X, K=32] * B[K_X, N=48] -> C[M_X, N]", "X=4"},
      {"bf16 A[M=64_X, K=32_Y] * B[K_Y, N=48_X] -> C[M_Y, N_X]", "X=2,Y=2"},
      {"bf16 A[B=6_X, M=10, K=9] * B[B, K, N=8_X] -> C[B, M, N_X]", "X=2"},
  };
  for (const auto& [statement, mesh] : kStatements)
    for (const Design design :
         {Design::kSequential, Design::kInPlace, Design::kPull, Design::kPush, Design::kRing, Design::kRingBothWays}) {
      SCOPED_TRACE(fmt::format("{} {} {}", statement, mesh, name(design)));
      const Schedule schedule = built(statement, mesh, overlapped(design));
      expect_sound(schedule, plan_launches(schedule, every_gemm()));
    }
}

TEST(LaunchPlan, EndsARunWhereAProductReadsWhatAnotherOneWrites) {
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
mesh X=1
requires nothing
buffer a bf16 [8, 8] symmetric
buffer b bf16 [8, 8] symmetric
buffer c bf16 [8, 8] symmetric
buffer d bf16 [8, 8] symmetric
rank 0
  lane compute
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm d[0:8, 0:8] c[0:8, 0:8] b[0:8, 0:8] ik,kj->ij
    gemm d[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
    gemm c[0:8, 0:8] a[0:8, 0:8] b[0:8, 0:8] ik,kj->ij accumulate
)");
  const std::vector<Launch> launches = plan_launches(schedule, every_gemm());
  expect_sound(schedule, launches);
  EXPECT_THAT(launches,
              testing::ElementsAre(Launch{0, 0, 0, 1, true}, Launch{0, 0, 1, 2, true}, Launch{0, 0, 3, 1, true}));
}

TEST(LaunchPlan, NamesTheWaitThatIsNeverPassed) {
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
mesh X=2
requires nothing
signal come
rank 1
  lane compute
    wait come >= 1
)");
  try {
    plan_launches(schedule, every_gemm());
    FAIL() << "it was planned";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "rank 1, lane compute, op 0: wait come >= 1: nothing that runs before raises its signal as often");
  }
}

}  // namespace
}  // namespace meshmul::cuda
