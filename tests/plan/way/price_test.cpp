#include <gtest/gtest.h>

#include "meshmul/plan.hpp"
#include "meshmul/way.hpp"
#include "support/error_of.hpp"
#include "support/random_statement.hpp"

namespace meshmul {
namespace {

PricedWay priced(const std::string& text, const Mesh& mesh, const std::string& hardware = "v5p") {
  return price_way(parse_way(text, mesh), mesh, find_hardware(hardware));
}

const StepCost& cost(const Step& step) {
  return std::visit([](const auto& s) -> const StepCost& { return s.cost; }, step);
}

TEST(PriceWay, AddsUpItsSteps) {
  const PricedWay way =
      priced("AllGather_X(bf16 Y[D=8192_X, F=32768]); X[B=128, D] * Y[D, F] -> Z[B, F]", Mesh{{"X", 4}});
  ASSERT_EQ(way.steps.size(), 2);
  EXPECT_EQ(std::get<Move>(way.steps[0]).kind, MoveKind::kAllGather);
  EXPECT_EQ(cost(way.steps[1]).flops, 2.0 * 128 * 8192 * 32768);
  EXPECT_EQ(way.move_seconds, cost(way.steps[0]).seconds);
  EXPECT_EQ(way.product_seconds, cost(way.steps[1]).seconds);
  EXPECT_EQ(way.seconds_sequential, way.move_seconds + way.product_seconds);
  EXPECT_EQ(way.seconds_overlapped, way.move_seconds);
  EXPECT_EQ(way.peak_bytes, 2 * (8192 * 32768 / 4 + 128 * 8192 + 8192 * 32768 + 128 * 32768));
}

TEST(PriceWay, RoundsBlocksUp) {
  const Mesh mesh{{"X", 4}};
  EXPECT_EQ(cost(priced("bf16 A[I=10_X, J=3] * B[J, K=5] -> C[I_X, K]", mesh).steps[0]).flops, 2 * 3 * 3 * 5);
}

TEST(PriceWay, CopiesWhereNothingMoves) {
  const PricedWay way = priced("A[I=8_X] -> A[I]; AllReduce_X(B[I]{U_X})", Mesh{{"X", 1}});
  for (const Step& step : way.steps) {
    EXPECT_EQ(std::get<Move>(step).kind, MoveKind::kSlice);
    EXPECT_TRUE(std::get<Move>(step).axes.empty());
  }
  EXPECT_EQ(way.seconds_sequential, 0);
}

TEST(PriceWay, TellsAPermuteFromARedistribute) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  EXPECT_EQ(std::get<Move>(priced("A[I=8_XY] -> A[I_YX]", mesh).steps[0]).kind, MoveKind::kPermute);
  EXPECT_EQ(std::get<Move>(priced("A[I=9_XY, J=4] -> A[I_Y, J_X]", mesh).steps[0]).kind, MoveKind::kRedistribute);
}

TEST(PriceWay, RefusesAMissingSize) {
  const Mesh mesh{{"X", 2}};
  EXPECT_EQ(testing::error_of([&] { priced("AllGather_X(A[I_X])", mesh); }), "index I has no size; write I=SIZE once");
}

/// A plan, written out as a way and read back, costs what the plan costs.
TEST(PriceWay, GivesEveryPlanItsPrice) {
  const Mesh mesh{{"X", 4}, {"Y", 2}, {"one", 1}};
  for (const char* text :
       {"bf16 A[I=8192_X, J=8192_Y] * B[J_Y, K=8192] -> C[I_X, K]", "A[I=100_X, J=33] * B[J, K=20_X] -> C[I, K_X]",
        "A[I=64, J=64_X] * B[J_Y, K=64] -> C[I, K]", "i8 A[I=10_XY, J=7] -> A[J_X, I]",
        "A[B=4_X, I=64, J=64] * B[B_Y, J, K=64] -> C[B, I_X, K]", "bf16 A[I=65, J=64]{U_X} -> A[I_Y, J_X]",
        "A[I=64, J=64] * B[J, K=64] -> C[I, K]{U_XY}", "A[I=9_XY] -> A[I_YX]"})
    for (const char* hardware : {"v5p", "h100"}) {
      SCOPED_TRACE(std::string(text) + " on " + hardware);
      const Plan found = plan(parse_statement(text, mesh), mesh, find_hardware(hardware));
      const PricedWay way = priced(to_string(way_of(found.steps, mesh), mesh), mesh, hardware);
      EXPECT_EQ(way.steps.size(), found.steps.size());
      EXPECT_DOUBLE_EQ(way.seconds_sequential, found.seconds_sequential);
      EXPECT_DOUBLE_EQ(way.seconds_overlapped, found.seconds_overlapped);
      EXPECT_EQ(way.peak_bytes, found.peak_bytes);
    }
}

}  // namespace
}  // namespace meshmul
