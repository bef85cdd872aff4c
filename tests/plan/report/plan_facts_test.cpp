#include "plan/report/plan_facts.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace meshmul {
namespace {

using testing::ElementsAre;

Plan times(double move_seconds, double product_seconds) {
  Plan plan;
  plan.mesh = Mesh{{"X", 4}};
  plan.hardware = "v5e";
  Move move;
  move.cost.seconds = move_seconds;
  LocalProduct product;
  product.cost.seconds = product_seconds;
  product.cost.flops = 68.7e9;
  product.cost.bound = Bound::kMemory;
  plan.steps = {move, product};
  plan.seconds_sequential = move_seconds + product_seconds;
  plan.seconds_overlapped = std::max(move_seconds, product_seconds);
  plan.peak_bytes = 126'000'000;
  return plan;
}

TEST(PlanFacts, SayHowMuchLongerTheMovesTake) {
  EXPECT_THAT(
      total_sentences(times(746e-6, 349e-6)),
      ElementsAre("1.095 ms without overlap, at best 746 us with; 126 MB a device",
                  "68.7 GFLOP a device; bound by communication: the moves take 2.14 times as long as the product"));
}

TEST(PlanFacts, SayHowMuchLongerTheProductTakesAndWhatBoundsIt) {
  EXPECT_EQ(total_sentences(times(100e-6, 349e-6))[1],
            "68.7 GFLOP a device; bound by memory: the product takes 3.49 times as long as the moves");
  EXPECT_EQ(total_sentences(times(0, 349e-6))[1], "68.7 GFLOP a device; bound by memory: nothing is sent");
}

TEST(PlanFacts, SayWhetherShardsAndSlotsAreOnTheChip) {
  Plan plan = times(0, 1e-6);
  plan.on_chip = OnChip{128'000'000, 101e6, 16.8e6};
  EXPECT_EQ(total_sentences(plan)[2], "on the chip: shards of 101 MB and slots of 16.8 MB fit into 128 MB");
  plan.on_chip = OnChip{128'000'000, 201e6, 0};
  EXPECT_EQ(total_sentences(plan)[2], "on the chip: shards of 201 MB do not fit into 128 MB");
}

TEST(PlanFacts, NeedAProductForMoreThanTimes) {
  Plan plan = times(1e-6, 0);
  plan.steps.pop_back();
  EXPECT_THAT(total_sentences(plan), ElementsAre("1 us without overlap, at best 1 us with; 126 MB a device"));
}

TEST(PlanFacts, NameTheBoundOfTheLongestOfSeveralProducts) {
  PricedWay way;
  LocalProduct product;
  product.cost.flops = 1e9;
  product.cost.seconds = 1e-6;
  product.cost.bound = Bound::kCompute;
  way.steps.emplace_back(product);
  product.cost.seconds = 3e-6;
  product.cost.bound = Bound::kMemory;
  way.steps.emplace_back(product);
  Move move;
  move.cost.seconds = 2e-6;
  way.steps.emplace_back(move);
  EXPECT_EQ(total_sentences(way)[1],
            "2 GFLOP a device; bound by memory: the products take 2 times as long as the moves");
  move.cost.seconds = 6e-6;
  way.steps.emplace_back(move);
  EXPECT_EQ(total_sentences(way)[1],
            "2 GFLOP a device; bound by communication: the moves take 2 times as long as the products");
}

TEST(PlanFacts, CountWorkAsOftenAsItIsDone) {
  StepCost cost;
  cost.seconds = 1e-6;
  cost.flops = 5;
  cost.bound = Bound::kMemory;
  Work work;
  work.add_move(cost, 2);
  work.add_product(cost, 3);
  work.add_function(cost, 4);
  EXPECT_DOUBLE_EQ(work.move_seconds, 2e-6);
  EXPECT_DOUBLE_EQ(work.work_seconds, 7e-6);
  EXPECT_EQ(bound_sentence(work),
            "35 FLOP a device; bound by memory: the products and functions take 3.5 times as long as the moves");
}

}  // namespace
}  // namespace meshmul
