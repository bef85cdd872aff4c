// The numbered formulas of docs/cost-model.md, on figures that are easy to work out by hand.
#include "plan/cost.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

/// X = 4, Y = 8; links of 10 B/s, hops of 1 s; memory of 1000 B/s.
class Cost : public testing::Test {
 protected:
  static constexpr AxisSet kX = 1, kY = 2, kXY = 3;

  static Hardware hardware(NetworkKind kind) {
    Hardware toy;
    toy.network.kind = kind;
    toy.network.link_bytes_per_second = 10;
    toy.network.hop_seconds = 1;
    toy.chip.memory_bytes_per_second = 1000;
    return toy;
  }

  const Mesh mesh_{{"X", 4}, {"Y", 8}};
  const AxisNumbering axes_{mesh_};
  const CostModel torus_{axes_, hardware(NetworkKind::kTorus)};
  const CostModel switch_{axes_, hardware(NetworkKind::kSwitch)};
};

void expect_cost(const StepCost& cost, double seconds, double bytes, double hops, Bound bound) {
  EXPECT_NEAR(cost.seconds, seconds, seconds * 1e-12);
  EXPECT_DOUBLE_EQ(cost.bytes, bytes);
  EXPECT_DOUBLE_EQ(cost.hops, hops);
  EXPECT_EQ(cost.bound, bound);
}

TEST_F(Cost, Formula1GatherAndScatterOnATorus) {
  for (const MoveKind kind : {MoveKind::kAllGather, MoveKind::kReduceScatter}) {
    expect_cost(torus_.move(kind, kX, 4000), 200, 4000, 2, Bound::kBandwidth);
    expect_cost(torus_.move(kind, kXY, 4000), 100, 4000, 6, Bound::kBandwidth);
    expect_cost(torus_.move(kind, kY, 60), 4, 60, 4, Bound::kLatency);
  }
}

TEST_F(Cost, Formula2AnAllReduceIsAScatterAndAGather) {
  expect_cost(torus_.move(MoveKind::kAllReduce, kX, 4000), 400, 8000, 4, Bound::kBandwidth);
  expect_cost(torus_.move(MoveKind::kAllReduce, kY, 60), 8, 120, 8, Bound::kLatency);
}

TEST_F(Cost, Formula3AllToAllOnATorus) {
  // V = 32 x 1000 over both axes: V max(4, 8) / (4 x 32 x 20).
  expect_cost(torus_.move(MoveKind::kAllToAll, kXY, 1000), 100, 3000, 6, Bound::kBandwidth);
  expect_cost(torus_.move(MoveKind::kAllToAll, kX, 1000), 50, 1000, 2, Bound::kBandwidth);
  expect_cost(torus_.move(MoveKind::kAllToAll, kX, 20), 2, 20, 2, Bound::kLatency);
}

TEST_F(Cost, Formula4MessagesOnATorusWaitForTheirLatency) {
  for (const MoveKind kind : {MoveKind::kRedistribute, MoveKind::kPermute}) {
    expect_cost(torus_.move(kind, kXY, 1000), 106, 3000, 6, Bound::kBandwidth);
    expect_cost(torus_.move(kind, kX, 20), 3, 20, 2, Bound::kLatency);
  }
}

TEST_F(Cost, Formula4IsNeverBelowFormulas1And3) {
  for (const Mesh& mesh : {Mesh{{"X", 2}}, Mesh{{"X", 3}}, Mesh{{"X", 2}, {"Y", 3}}, Mesh{{"X", 16}, {"Y", 2}}}) {
    const AxisNumbering axes(mesh);
    for (const NetworkKind kind : {NetworkKind::kTorus, NetworkKind::kSwitch}) {
      const CostModel cost(axes, hardware(kind));
      for (AxisSet travelled = 1; travelled <= axes.all(); ++travelled)
        for (const double bytes : {0.0, 1.0, 10.0, 100.0, 10'000.0}) {
          const double message = cost.price(MoveKind::kRedistribute, travelled, bytes).seconds;
          EXPECT_GE(message, cost.price(MoveKind::kAllGather, travelled, bytes).seconds);
          EXPECT_GE(message, cost.price(MoveKind::kAllToAll, travelled, bytes).seconds);
        }
    }
  }
}

TEST_F(Cost, Formulas5To8OnASwitch) {
  for (const MoveKind kind : {MoveKind::kAllGather, MoveKind::kReduceScatter, MoveKind::kAllToAll}) {
    expect_cost(switch_.move(kind, kX, 4000), 300, 3000, 1, Bound::kBandwidth);
    expect_cost(switch_.move(kind, kXY, 3200), 310, 3100, 1, Bound::kBandwidth);
    expect_cost(switch_.move(kind, kX, 4), 1, 3, 1, Bound::kLatency);
  }
  expect_cost(switch_.move(MoveKind::kAllReduce, kX, 4000), 600, 6000, 2, Bound::kBandwidth);
  expect_cost(switch_.move(MoveKind::kRedistribute, kX, 4000), 401, 4000, 1, Bound::kBandwidth);
}

TEST_F(Cost, SliceAndUnreduceAreFree) {
  for (const MoveKind kind : {MoveKind::kSlice, MoveKind::kUnreduce})
    for (const CostModel& cost : {torus_, switch_}) expect_cost(cost.move(kind, 0, 4000), 0, 0, 0, Bound::kNone);
}

TEST_F(Cost, Formula9TheProductTakesTheLongerOfComputingAndLoading) {
  const StepCost computing = torus_.product(100, 5000, 2000);
  EXPECT_DOUBLE_EQ(computing.seconds, 50);
  EXPECT_EQ(computing.flops, 5000);
  EXPECT_EQ(computing.bound, Bound::kCompute);
  const StepCost loading = torus_.product(100, 50, 2000);
  EXPECT_DOUBLE_EQ(loading.seconds, 2);
  EXPECT_EQ(loading.bound, Bound::kMemory);
  EXPECT_EQ(torus_.product(100, 0, 0).bound, Bound::kNone);
}

TEST_F(Cost, ThePayloadIsThePartialArrayOrWhatADeviceHoldsAfterwards) {
  EXPECT_EQ(payload_bytes(MoveKind::kAllGather, 10, 40), 40);
  EXPECT_EQ(payload_bytes(MoveKind::kReduceScatter, 40, 10), 40);
  EXPECT_EQ(payload_bytes(MoveKind::kAllReduce, 40, 40), 40);
  EXPECT_EQ(payload_bytes(MoveKind::kAllToAll, 10, 12), 12);
  EXPECT_EQ(payload_bytes(MoveKind::kAllToAll, 12, 10), 10);
  EXPECT_EQ(payload_bytes(MoveKind::kRedistribute, 40, 10), 10);
}

TEST_F(Cost, RoundedTimesAddUpTheSameInEveryOrder) {
  const double x = rounded_seconds(1.0 / 3), y = rounded_seconds(1.0 / 7), z = rounded_seconds(1.0 / 1100);
  EXPECT_EQ((x + y) + z, x + (y + z));
  EXPECT_NEAR(x, 1.0 / 3, 1e-12);
  EXPECT_EQ(rounded_seconds(0), 0);
}

}  // namespace
}  // namespace meshmul
