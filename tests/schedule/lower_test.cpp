#include "meshmul/lower.hpp"

#include <gmock/gmock.h>

#include "schedule/all_plans.hpp"
#include "schedule/checked_run.hpp"
#include "schedule/copied_inputs.hpp"
#include "schedule/effects.hpp"
#include "schedule/expect_proven.hpp"
#include "schedule/move_cases.hpp"

namespace meshmul {
namespace {

Move move(MoveKind kind, Operand operand, std::string_view from, std::string_view to, const Mesh& mesh) {
  Move move;
  move.kind = kind;
  move.operand = operand;
  move.from = parse_array(from, mesh);
  move.to = parse_array(to, mesh);
  return move;
}

LocalProduct product(std::string_view a, std::string_view b, std::string_view c, const Mesh& mesh) {
  return {parse_array(a, mesh), parse_array(b, mesh), parse_array(c, mesh), {}};
}

Plan plan_of(std::string_view statement, const Mesh& mesh, std::vector<Step> steps) {
  Plan plan;
  plan.mesh = mesh;
  plan.statement = parse_statement(statement, mesh);
  plan.steps = std::move(steps);
  return plan;
}

const Mesh kMesh{{"X", 2}, {"Y", 3}};

TEST(Lower, ALastProductWritesTheOutputAndReadsTheInputsInPlace) {
  const Schedule schedule = lower(plan_of("A[I=7_X, J=5] * B[J, K=4_Y] -> C[I_X, K_Y]", kMesh,
                                          {product("A[I=7_X, J=5]", "B[J=5, K=4_Y]", "C[I=7_X, K=4_Y]", kMesh)}));
  ASSERT_EQ(schedule.buffers.size(), 3U);
  EXPECT_EQ(schedule.ranks[4].lanes.size(), 1U);
  EXPECT_TRUE(schedule.ranks[5].lanes.empty()) << "its shard of C is empty";
  EXPECT_TRUE(schedule.signals.empty());
  EXPECT_EQ(to_string(schedule, 4, schedule.ranks[4].lanes[0].ops[0]),
            "gemm C[0:3, 0:2] A[0:3, 0:5] B[0:5, 0:2] ij,jk->ik");
  EXPECT_EQ(schedule.capabilities, (Capabilities{false, false, false}));
  testing::expect_right_numbers(schedule);
}

TEST(LowerWithCopiedInputs, PeersTouchTheCopiesAloneAndRunsFollowOneAnotherWithoutABarrier) {
  const Mesh mesh{{"X", 3}};
  Plan plan = plan_of("A[I=7_X] -> A[I]", mesh, {move(MoveKind::kAllGather, Operand::kA, "A[I=7_X]", "A[I=7]", mesh)});
  const Schedule schedule = lower_with_copied_inputs(plan);
  testing::expect_right_numbers(schedule);
  const int given = schedule.contract.inputs.front().region.buffer;
  for (int rank = 0; rank < 3; ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops)
        for (const Region& region : effects_of(op, rank).reads)
          EXPECT_TRUE(region.buffer != given || (region.rank == rank && std::holds_alternative<Copy>(op)));
  Capabilities available;
  available.barrier = false;
  const Schedule legal = legalize(schedule, available);
  EXPECT_FALSE(legal.capabilities.barrier);
  testing::expect_proven(legal);
}

TEST(Lower, ASliceIsReadWhereItLies) {
  const Schedule schedule = lower(plan_of("A[I=7, J=5_X] * B[J, K=4] -> C[I, K]{U_X}", kMesh,
                                          {move(MoveKind::kSlice, Operand::kB, "B[J=5, K=4]", "B[J=5_X, K=4]", kMesh),
                                           product("A[I=7, J=5_X]", "B[J=5_X, K=4]", "C[I=7, K=4]{U_X}", kMesh)}));
  EXPECT_EQ(schedule.buffers.size(), 3U);
  EXPECT_EQ(to_string(schedule, 5, schedule.ranks[5].lanes[0].ops[0]),
            "gemm C[0:7, 0:4] A[0:7, 0:2] B[3:5, 0:4] ij,jk->ik");
  testing::expect_right_numbers(schedule);
}

TEST(Lower, StepsFollowOneAnother) {
  const Schedule schedule =
      lower(plan_of("A[I=7_X, J=5_Y] * B[J_X, K=4] -> C[I_X, K]", kMesh,
                    {move(MoveKind::kAllToAll, Operand::kA, "A[I=7_X, J=5_Y]", "A[I=7_XY, J=5]", kMesh),
                     move(MoveKind::kAllGather, Operand::kA, "A[I=7_XY, J=5]", "A[I=7_X, J=5]", kMesh),
                     move(MoveKind::kSlice, Operand::kA, "A[I=7_X, J=5]", "A[I=7_X, J=5_Y]", kMesh),
                     move(MoveKind::kAllGather, Operand::kB, "B[J=5_X, K=4]", "B[J=5, K=4]", kMesh),
                     move(MoveKind::kSlice, Operand::kB, "B[J=5, K=4]", "B[J=5_Y, K=4]", kMesh),
                     product("A[I=7_X, J=5_Y]", "B[J=5_Y, K=4]", "C[I=7_X, K=4]{U_Y}", kMesh),
                     move(MoveKind::kReduceScatter, Operand::kC, "C[I=7_X, K=4]{U_Y}", "C[I=7_XY, K=4]", kMesh),
                     move(MoveKind::kAllGather, Operand::kC, "C[I=7_XY, K=4]", "C[I=7_X, K=4]", kMesh)}));
  for (std::uint64_t seed = 0; seed < 20; ++seed) testing::expect_right_numbers(schedule, seed);
}

TEST(Lower, AWiderWireDtypeIsRoundedOnceIntoTheOutput) {
  const Schedule schedule =
      lower(plan_of("bf16 A[I=7, J=6_X] * B[J_X, K=4] -> C[I, K]", kMesh,
                    {product("bf16 A[I=7, J=6_X]", "bf16 B[J=6_X, K=4]", "f32 C[I=7, K=4]{U_X}", kMesh),
                     move(MoveKind::kAllReduce, Operand::kC, "f32 C[I=7, K=4]{U_X}", "bf16 C[I=7, K=4]", kMesh)}));
  testing::expect_right_numbers(schedule);
}

TEST(Lower, AnArrayThatStaysWhereItIsIsCopied) {
  const Schedule schedule =
      lower(plan_of("A[I=7_X, J=5] -> A[I_X, J]", kMesh,
                    {move(MoveKind::kSlice, Operand::kA, "A[I=7_X, J=5]", "A[I=7_X, J=5]", kMesh)}));
  EXPECT_EQ(schedule.buffers[1].name, "A.out");
  testing::expect_right_numbers(schedule);
}

TEST(Lower, BatchAndEmptyContractionsAreRight) {
  testing::expect_right_numbers(
      lower(plan_of("A[B=4_X, I=3, J=2_Y] * B[J_Y, B_X, K=5] -> C[B_X, K, I]{U_Y}", kMesh,
                    {product("A[B=4_X, I=3, J=2_Y]", "B[J=2_Y, B=4_X, K=5]", "C[B=4_X, K=5, I=3]{U_Y}", kMesh)})));
}

// Statements that lead to all kinds of steps, on meshes with axes of size 1, 2 and 3.
const std::vector<std::pair<std::string, Mesh>> kStatements = {
    {"A[I=12_X, J=8] * B[J, K=6_Y] -> C[I_X, K_Y]", kMesh},
    {"A[I=7_X, J=8_Y] * B[J_Y, K=6] -> C[I_X, K]", kMesh},
    {"A[I=7, J=8_XY] * B[J_X, K=6_Y] -> C[I_Y, K]", kMesh},
    {"A[I=7_X, J=9] * B[J, K=6_X] -> C[I_X, K]", kMesh},
    {"A[I=7_X, J=9]{U_Y} * B[J, K=6] -> C[I, K_Y]", kMesh},
    {"A[I=7, J=9]{U_X} * B[J, K=6]{U_X} -> C[I, K]{U_Y}", kMesh},
    {"A[I=2, J=3_X] * B[J_Y, K=1] -> C[I, K]", kMesh},
    {"A[B=4_X, I=3, J=6_Y] * B[B_Y, J_X, K=5] -> C[B, K_X, I]", kMesh},
    {"A[I=6_X] * B[I_Y] -> C[]", kMesh},
    {"A[I=6_X] * B[J=5_X] -> C[J, I]", kMesh},
    {"A[I=12, J=8_XYZ] * B[J_XYZ, K=6] -> C[I, K]", Mesh{{"X", 2}, {"Y", 1}, {"Z", 2}}},
    {"A[I=12_Y, J=8_X] * B[J_X, K=6_Z] -> C[I_YX, K_Z]", Mesh{{"X", 2}, {"Y", 1}, {"Z", 2}}},
    {"A[I=12_X, J=8]{U_Y} -> A[J_X, I]{U_Y}", Mesh{{"X", 4}, {"Y", 1}}},
    {"A[I=12_X, J=8]{U_Y} -> A[J_Y, I]", kMesh},
    {"A[I=12_X, J=8] -> A[I_X, J]", kMesh},
    {"A[I=10_XY, J=8] -> A[I, J_YX]", kMesh},
    {"AllGather_XY(A[I=10_X, J=8_Y])", kMesh},
    {"ReduceScatter_XY,J(A[I=10, J=8]{U_XY})", kMesh},
    {"AllReduce_Y(A[I=10_X, J=8]{U_Y})", kMesh},
    {"AllToAll_Y,J(A[I=10_XY, J=8])", kMesh},
};

TEST(Lower, EveryPlanIsRightByEveryAlgorithm) {
  int number = 0;
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays})
    for (const auto& [text, mesh] : kStatements)
      for (const Plan& plan : testing::all_plans(text, mesh)) {
        if (number++ % MESHMUL_RANDOM_CASE_DIVISOR != 0) continue;  // sanitizers take a part
        const Schedule schedule = lower(plan, {algorithm});
        SCOPED_TRACE(to_string(plan) + to_string(schedule));
        testing::expect_proven(schedule);
        testing::expect_right_numbers(schedule);
        if (HasFailure()) return;
      }
}

TEST(Lower, NoWaitCanBeLeftOut) {
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays})
    for (const auto& [text, mesh] : kStatements) {
      const Schedule schedule = lower(testing::all_plans(text, mesh).back(), {algorithm});
      EXPECT_EQ(testing::redundant_wait_in(schedule), std::nullopt) << to_string(schedule);
    }
}

TEST(Lower, TakesTheBytesThatThePlanPromises) {
  for (const std::string dtype : {"f32", "bf16"})
    for (const Dtype wire : {Dtype::kBf16, Dtype::kF32})
      for (const auto& [text, mesh] : kStatements) {
        if (dtype == "f32" && wire == Dtype::kBf16) continue;
        const std::size_t name = text.find("A[");
        const std::string typed = text.substr(0, name) + dtype + " " + text.substr(name);
        PlanOptions options;
        options.wire_dtype = wire;
        for (const Plan& plan : testing::all_plans(typed, mesh, options))
          EXPECT_EQ(bytes_per_rank(lower(plan)), plan.peak_bytes) << to_string(plan);
      }
}

}  // namespace
}  // namespace meshmul
