#include "meshmul/plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>

#include "meshmul/error.hpp"
#include "plan/memory.hpp"
#include "plan/report/step_text.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using testing::message_of;

/// The steps as `AllGather_X of B`.
std::vector<std::string> labels(const Plan& plan) {
  std::vector<std::string> all;
  for (const Step& step : plan.steps) all.push_back(step_label(step, plan.mesh));
  return all;
}

Plan planned(const std::string& text, const Mesh& mesh, const PlanOptions& options = {},
             const std::string& hardware = "v5p") {
  return plan(parse_statement(text, mesh), mesh, find_hardware(hardware), options);
}

std::vector<std::string> steps(const std::string& text, const Mesh& mesh) { return labels(planned(text, mesh)); }

const Move& move(const Plan& plan, std::size_t step) { return std::get<Move>(plan.steps.at(step)); }

const Mesh kX4{{"X", 4}};
const Mesh kX4Y4{{"X", 4}, {"Y", 4}};

// The four cases of a sharded product.

TEST(Plan, Case1NothingMoves) {
  EXPECT_THAT(steps("bf16 A[I=8192_X, J=8192] * B[J, K=8192_Y] -> C[I_X, K_Y]", kX4Y4), ElementsAre("local product"));
}

TEST(Plan, Case2TheSmallerWayIsTaken) {
  // A small: gather it. A large: slice B for free and add the partial sums.
  EXPECT_THAT(steps("bf16 A[I=128, J=1024_X] * B[J, K=1024] -> C[I, K]", kX4),
              ElementsAre("AllGather_X of A", "local product"));
  EXPECT_THAT(steps("bf16 A[I=8192, J=32768_X] * B[J, K=512] -> C[I, K]", kX4),
              ElementsAre("Slice_X of B", "local product", "AllReduce_X of C"));
  EXPECT_THAT(steps("bf16 A[I=8192, J=32768_X] * B[J, K=512] -> C[I_X, K]", kX4),
              ElementsAre("Slice_X of B", "local product", "ReduceScatter_X of C"));
}

TEST(Plan, Case3PartialSumsAreAdded) {
  EXPECT_THAT(steps("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K]", kX4),
              ElementsAre("local product", "AllReduce_X of C"));
  EXPECT_THAT(steps("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K_X]", kX4),
              ElementsAre("local product", "ReduceScatter_X of C"));
  EXPECT_THAT(steps("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K]{U_X}", kX4), ElementsAre("local product"));
}

TEST(Plan, Case4TheSmallerInputIsGathered) {
  EXPECT_THAT(steps("bf16 A[I=512_X, J=4096] * B[J, K=65536_X] -> C[I, K_X]", kX4),
              ElementsAre("AllGather_X of A", "local product"));
  EXPECT_THAT(steps("bf16 A[I=65536_X, J=4096] * B[J, K=512_X] -> C[I_X, K]", kX4),
              ElementsAre("AllGather_X of B", "local product"));
}

// What other planners miss.

TEST(Plan, AReplicatedArrayIsSlicedOverAnIdleAxisAndGatheredOverTwo) {
  EXPECT_THAT(steps("bf16 A[I=4096_X, J=4096] -> A[I, J]", kX4Y4), ElementsAre("Slice_Y of A", "AllGather_XY of A"));
}

TEST(Plan, SumsThatNothingCanSliceAreAddedAlongAnIdleAxisToo) {
  PlanOptions options;
  options.cost.latency = LatencyRule::kNone;
  EXPECT_THAT(labels(planned("f32 C[]{U_X} -> C[]", kX4Y4, options)),
              ElementsAre("Unreduce_Y of C", "AllReduce_XY of C"));
  EXPECT_THAT(labels(planned("f32 C[] -> C[]{U_X}", kX4Y4, options)), ElementsAre("Unreduce_X of C"));
}

TEST(Plan, PartialSumsAreReducedOverOneAxisAndScatteredOverAnother) {
  EXPECT_THAT(steps("bf16 C[I=4096, K=4096]{U_X} -> C[I_Y, K]", kX4Y4),
              ElementsAre("Slice_Y of C", "AllReduce_X of C"));
}

TEST(Plan, TheGatherWaitsUntilThePartialSumsAreScattered) {
  EXPECT_THAT(steps("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096_Y] -> C[I, K]", kX4Y4),
              ElementsAre("local product", "ReduceScatter_X of C", "AllGather_XY of C"));
}

TEST(Plan, AnOuterIndexGoesToTheContractedOneAndComesBackByTheReduction) {
  // X cuts I of A and J of B. B is too large to gather, A is not.
  EXPECT_THAT(steps("bf16 A[I=512_X, J=8192] * B[J_X, K=65536] -> C[I_X, K]", kX4),
              ElementsAre("AllToAll_X of A", "local product", "ReduceScatter_X of C"));
}

TEST(Plan, TheInnerAxisOfAnEinsumMayBeABatchOrSeveralContractedOrNone) {
  EXPECT_THAT(steps("bf16 A[G=64_X, I=256, J=256] * B[G_X, J, K=256] -> C[G_X, I, K]", kX4),
              ElementsAre("local product"));
  EXPECT_THAT(steps("bf16 A[I=4096, J=64_X, L=1024] * B[J_X, L, K=4096] -> C[I, K]", kX4),
              ElementsAre("local product", "AllReduce_X of C"));
  EXPECT_THAT(steps("bf16 A[I=4096_X] * B[K=4096] -> C[K, I_X]", kX4), ElementsAre("local product"));
}

// Partial inputs.

TEST(Plan, PartialSumsPassThroughAProductWithACompleteInput) {
  EXPECT_THAT(steps("bf16 A[I=8192, J=1024]{U_X} * B[J, K=1024] -> C[I, K]{U_X}", kX4), ElementsAre("local product"));
  EXPECT_THAT(steps("bf16 A[I=8192, J=4096]{U_X} * B[J, K=16] -> C[I, K]", kX4),
              ElementsAre("local product", "AllReduce_X of C"));
}

TEST(Plan, OfTwoPartialInputsOneIsReducedFirst) {
  EXPECT_THAT(steps("bf16 A[I=8192, J=1024]{U_X} * B[J, K=16]{U_X} -> C[I, K]{U_X}", kX4),
              ElementsAre("AllReduce_X of B", "local product"));
}

TEST(Plan, ACompleteOutputBecomesPartialForFree) {
  EXPECT_THAT(steps("bf16 A[I=8192, J=1024] -> A[I, J]{U_X}", kX4), ElementsAre("Unreduce_X of A"));
}

// The planner's choices.

TEST(Plan, AnOpenOutputStaysWhereTheProductLeavesIt) {
  const Plan plan = planned("bf16 A[I=4096_X, J=4096] * B[J, K=4096] -> C[I, K]?", kX4);
  EXPECT_THAT(labels(plan), ElementsAre("local product"));
  EXPECT_EQ(to_string(output(plan.statement), kX4), "bf16 C[I=4096_X, K=4096]");
}

TEST(Plan, OpenInputsLieWhereTheProductWantsThem) {
  const Plan plan = planned("bf16 A[I=4096, J=4096]? * B[J, K=4096]? -> C[I_X, K_Y]", kX4Y4);
  EXPECT_THAT(labels(plan), ElementsAre("local product"));
  EXPECT_EQ(to_string(plan.statement, kX4Y4),
            "bf16 A[I=4096_X, J=4096] * bf16 B[J=4096, K=4096_Y] -> bf16 C[I=4096_X, K=4096_Y]");
}

TEST(Plan, AChangeOfShardingMayReorderDimensions) {
  const Plan plan = planned("bf16 A[I=4096, J=4096_X] -> A[J, I_X]", kX4);
  EXPECT_THAT(labels(plan), ElementsAre("AllToAll_X of A"));
  EXPECT_EQ(to_string(move(plan, 0).to, kX4), "bf16 A[J=4096, I=4096_X]");
}

TEST(Plan, WhereNothingMovesAChangeOfShardingIsACopy) {
  EXPECT_THAT(steps("A[I=8_X, J=4] -> A[J, I_X]", kX4), ElementsAre("copy of A"));
  EXPECT_THAT(steps("AllGather_X(A[I=8_X, J=4])", {{"X", 1}}), ElementsAre("copy of A"));
}

TEST(Plan, ACollectiveIsTheOneMoveThatItNames) {
  // Slicing over Y first would be faster.
  const Plan plan = planned("AllGather_X(bf16 A[I=4096_X, J=4096])", kX4Y4);
  EXPECT_THAT(labels(plan), ElementsAre("AllGather_X of A"));
  EXPECT_DOUBLE_EQ(plan.seconds_sequential, move(plan, 0).cost.seconds);
  EXPECT_TRUE(plan.rejected.empty());
}

TEST(Plan, OverlapMayRepeatWorkBehindTheTraffic) {
  const std::string statement = "bf16 A[I=16384, J=1024_X] * B[J, K=1024] -> C[I, K]";
  PlanOptions options;
  options.overlapped = true;
  const Plan sequential = planned(statement, kX4);
  const Plan overlapped = planned(statement, kX4, options);
  EXPECT_THAT(labels(sequential), ElementsAre("AllToAll_X of A", "local product", "AllGather_X of C"));
  EXPECT_THAT(labels(overlapped), ElementsAre("AllGather_X of A", "local product"));
  EXPECT_LT(sequential.seconds_sequential, overlapped.seconds_sequential);
  EXPECT_LT(overlapped.seconds_overlapped, sequential.seconds_overlapped);
}

// Types.

TEST(Plan, TheStepsOfAPlanJoin) {
  const Plan plan = planned("bf16 A[I=64_XY, J=96] * B[J_YX, K=128] -> C[I, K_X]", kX4Y4);
  const auto& product = std::get<Product>(plan.statement);
  ArrayType at[] = {product.a, product.b, product.c};
  for (const Step& step : plan.steps) {
    if (const auto* local = std::get_if<LocalProduct>(&step)) {
      EXPECT_EQ(local->a, at[0]);
      EXPECT_EQ(local->b, at[1]);
      at[2] = local->c;
    } else {
      const Move& made = std::get<Move>(step);
      EXPECT_EQ(made.from, at[static_cast<int>(made.operand)]);
      at[static_cast<int>(made.operand)] = made.to;
    }
  }
  EXPECT_EQ(at[2], product.c);
}

TEST(Plan, PartialSumsHaveTheWireDtypeUntilTheyAreComplete) {
  const std::string statement = "bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K_X]";
  PlanOptions options;
  options.wire_dtype = Dtype::kF32;
  const Plan wide = planned(statement, kX4, options);
  ASSERT_THAT(labels(wide), ElementsAre("local product", "ReduceScatter_X of C"));
  EXPECT_EQ(std::get<LocalProduct>(wide.steps.at(0)).c.dtype, Dtype::kF32);
  EXPECT_EQ(move(wide, 1).from.dtype, Dtype::kF32);
  EXPECT_EQ(move(wide, 1).to.dtype, Dtype::kBf16);
  EXPECT_DOUBLE_EQ(move(wide, 1).cost.bytes, 2 * move(planned(statement, kX4), 1).cost.bytes);
}

TEST(Plan, ArraysThatAreOrBecomeCompleteTravelInTheirOwnDtype) {
  PlanOptions options;
  options.wire_dtype = Dtype::kF32;
  const Plan plan = planned("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096_Y] -> C[I, K]", kX4Y4, options);
  ASSERT_THAT(labels(plan), ElementsAre("local product", "ReduceScatter_X of C", "AllGather_XY of C"));
  EXPECT_EQ(move(plan, 2).from.dtype, Dtype::kBf16);
}

TEST(Plan, PartialSumsThatStayPartialHaveTheDtypeOfTheOutput) {
  PlanOptions options;
  options.wire_dtype = Dtype::kF32;
  const Plan plan = planned("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K]{U_X}", kX4, options);
  EXPECT_EQ(std::get<LocalProduct>(plan.steps.at(0)).c.dtype, Dtype::kBf16);
}

// Totals.

TEST(Plan, TotalsAreThoseOfTheSteps) {
  const Plan plan = planned("bf16 A[I=8192, J=32768_X] * B[J, K=512] -> C[I, K]", kX4);
  const double product = std::get<LocalProduct>(plan.steps.at(1)).cost.seconds;
  const double reduction = move(plan, 2).cost.seconds;
  EXPECT_DOUBLE_EQ(plan.seconds_sequential, product + reduction);
  EXPECT_DOUBLE_EQ(plan.seconds_overlapped, std::max(product, reduction));
  EXPECT_DOUBLE_EQ(std::get<LocalProduct>(plan.steps.at(1)).cost.flops, 2.0 * 8192 * 8192 * 512);
}

TEST(Plan, LosersComeBestFirstWithTheirOwnTotals) {
  const Plan plan = planned("bf16 A[I=8192_X, J=4096_Y] * B[J_X, K=512] -> C[I, K]", kX4Y4);
  ASSERT_EQ(plan.rejected.size(), 15);
  double before = plan.seconds_sequential;
  for (const RejectedPlan& loser : plan.rejected) {
    EXPECT_LE(before, loser.seconds);
    before = loser.seconds;
    double seconds = 0;
    for (const Step& step : loser.steps) seconds += std::visit([](const auto& s) { return s.cost.seconds; }, step);
    EXPECT_NEAR(loser.seconds, seconds, seconds * 1e-12);
    EXPECT_EQ(loser.peak_bytes, peak_bytes(inputs(plan.statement), loser.steps, kX4Y4));
    EXPECT_FALSE(loser.reason.empty());
  }
  PlanOptions none;
  none.max_rejected = 0;
  EXPECT_TRUE(planned("bf16 A[I=8192_X, J=4096_Y] * B[J_X, K=512] -> C[I, K]", kX4Y4, none).rejected.empty());
}

TEST(Plan, AMemoryLimitRejectsFasterPlans) {
  const std::string statement = "bf16 A[I=256_X, J=1024] * B[J_X, K=256] -> C[I_X, K]";
  const Plan free = planned(statement, kX4);
  PlanOptions options;
  options.memory_bytes = free.peak_bytes - 1;
  const Plan limited = planned(statement, kX4, options);
  EXPECT_THAT(labels(free), ElementsAre("AllGather_X of B", "local product"));
  EXPECT_THAT(labels(limited), ElementsAre("AllToAll_X of A", "local product", "ReduceScatter_X of C"));
  EXPECT_LE(limited.peak_bytes, *options.memory_bytes);
  EXPECT_GT(limited.seconds_sequential, free.seconds_sequential);
  EXPECT_EQ(limited.rejected.front().seconds, free.seconds_sequential);
  EXPECT_THAT(limited.rejected.front().reason, ::testing::MatchesRegex("needs .*B a device, more than .*B"));
}

// Errors.

TEST(Plan, WhatCannotBePlannedIsRefusedInWords) {
  PlanOptions little;
  little.memory_bytes = 100;
  EXPECT_EQ(message_of([&] { planned("A[I=8_X, J=4] * B[J, K=4] -> C[I_X, K]", kX4, little); }),
            "no plan fits into 100 bytes a device; the least that one takes is 128, by local product");
  EXPECT_EQ(message_of([&] { planned("A[I=8, J=4]? * B[J, K=4]? -> C[I, K]", kX4, little); }),
            "no plan fits into 100 bytes a device; the least that one takes is 256, with A[I_X, J], B[J, K], by local "
            "product, AllGather_X of C");
  EXPECT_EQ(message_of([&] { planned("bf16 A[I=1000000, J=1000000] -> A[I_X, J]", kX4); }),
            "no plan fits into 96000000000 bytes a device, the memory of v5p; the least that one takes is "
            "2500000000000, by Slice_X of A");
  EXPECT_EQ(message_of([&] { planned("A[I, J=4] -> A[I_X, J]", kX4); }), "index I has no size; write I=SIZE once");
  EXPECT_EQ(message_of([&] { planned("f64 A[I=8, J=4] * B[J, K=4] -> C[I, K]", kX4); }),
            "hardware v5p gives no rate for products of f64");
  EXPECT_EQ(message_of([&] { planned("A[I=8, J=4] -> A[I, J]", {{"X", 512}}, {}, "v5e"); }),
            "the mesh X=512 has 512 devices; expected at most 256, the largest slice of v5e (16x16)");
}

TEST(Plan, SidesOfAChangeOfShardingMustBeTheSameArray) {
  const ArrayType from{"A", Dtype::kF32, {{"I", 8}}, Sharding::replicated(1)};
  const ArrayType longer{"A", Dtype::kF32, {{"I", 9}}, Sharding::replicated(1)};
  const ArrayType wider{"A", Dtype::kF64, {{"I", 8}}, Sharding::replicated(1)};
  for (const ArrayType& to : {longer, wider})
    EXPECT_EQ(message_of([&] { plan(Reshard{from, to}, kX4, find_hardware("v5p")); }),
              "the two sides of a change of sharding of A differ in dimensions or dtype");
  const ArrayType cut{"A", Dtype::kF32, {{"I", 8}}, {{{0}}, {}}};
  EXPECT_EQ(message_of([&] {
              plan(Collective{CollectiveKind::kAllReduce, {0}, std::nullopt, cut, from}, kX4, find_hardware("v5p"));
            }),
            "AllReduce is not what leads from one side of A to the other; AllGather is");
}

// Settings and mappings.

PlanOptions book() {
  PlanOptions options;
  options.cost = *find_cost_model("book");
  return options;
}

TEST(Plan, AnAxisThatDoesNotCloseIsALineUnlessTheSettingsCloseIt) {
  const std::string text = "bf16 A[I=8192_X, J=8192_Y] * B[J_Y, K=8192] -> C[I_X, K]";
  const Plan on_lines = planned(text, kX4Y4, {}, "v5e:4x4");
  ASSERT_THAT(labels(on_lines), ElementsAre("local product", "AllReduce_Y of C"));
  EXPECT_NEAR(move(on_lines, 1).cost.byte_seconds, 1118.48e-6, 0.01e-6);
  EXPECT_DOUBLE_EQ(move(on_lines, 1).cost.hop_seconds, 6e-6);
  EXPECT_NEAR(std::get<LocalProduct>(on_lines.steps[0]).cost.compute_seconds, 348.8e-6, 0.1e-6);
  EXPECT_EQ(to_string(on_lines.cost), "exact");
  EXPECT_THAT(on_lines.slice, ElementsAre(4, 4));

  const Plan on_rings = planned(text, kX4Y4, book(), "v5e:4x4");
  EXPECT_NEAR(move(on_rings, 1).cost.seconds, 745.65e-6, 0.01e-6);
}

TEST(Plan, NoMappingThatIsGivenIsFasterThanTheOneThatIsFound) {
  const std::string text = "bf16 A[I=4096_X, J=4096] -> A[I, J]";
  const Mesh mesh{{"X", 8}};
  const Hardware v5e = find_hardware("v5e:2x4");
  PlanOptions options;
  const Plan best = plan(parse_statement(text, mesh), mesh, v5e, options);
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Placement> all = placements(mesh, v5e, TopologyRule::kSlice);
  ASSERT_GT(all.size(), 1U);
  for (const Placement& placement : all) {
    options.mapping = placement.mapping;
    const Plan given = plan(parse_statement(text, mesh), mesh, v5e, options);
    EXPECT_EQ(given.mapping, placement.mapping);
    least = std::min(least, given.seconds_sequential);
  }
  EXPECT_EQ(best.seconds_sequential, least);
  options.mapping = best.mapping;
  EXPECT_EQ(plan(parse_statement(text, mesh), mesh, v5e, options).seconds_sequential, least);
}

TEST(Plan, ANetworkThatAddsNothingUpCannotBeAskedTo) {
  PlanOptions options;
  options.cost.in_network_reduction = true;
  EXPECT_EQ(message_of([&] { planned("A[I=8_X] -> A[I]", kX4, options); }),
            "the network of v5p adds up no partial sums; leave out in-network reduction");
}

}  // namespace
}  // namespace meshmul
