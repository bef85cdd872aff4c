// How the charges of a network and a setting for latency make the price of a move.
#include "plan/cost.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

/// X = 4, Y = 8, and an axis of one device; links of 10 B/s, hops of 1 s.
class Cost : public testing::Test {
 protected:
  static constexpr AxisSet kX = 1, kY = 2, kXY = 3;

  static Hardware hardware(NetworkKind kind) {
    Hardware toy;
    toy.network.kind = kind;
    toy.network.link_bytes_per_second = 10;
    toy.network.hop_seconds = 1;
    return toy;
  }

  static Topology rings() {
    Topology topology;
    topology.torus = {{{4, true}}, {}, {{8, true}}};
    return topology;
  }

  static Topology lines() {
    Topology topology;
    topology.torus = {{{2, false}, {2, false}}, {}, {{8, false}}};
    return topology;
  }

  static Topology nodes() {
    Topology topology;
    topology.kind = NetworkKind::kSwitch;
    topology.in_node = {2, 1, 4};
    topology.across_nodes = {2, 1, 2};
    return topology;
  }

  CostModel model(const CostSettings& settings, const Topology& topology = rings()) const {
    return {axes_, {hardware(topology.kind), settings, {{}, {}, topology}}};
  }

  const Mesh mesh_{{"X", 4}, {"one", 1}, {"Y", 8}};
  const AxisNumbering axes_{mesh_};
  const CostSettings book_ = *find_cost_model("book");
};

void expect_cost(const StepCost& cost, double seconds, double bytes, double hops, Bound bound) {
  EXPECT_NEAR(cost.seconds, seconds, seconds * 1e-12);
  EXPECT_DOUBLE_EQ(cost.bytes, bytes);
  EXPECT_DOUBLE_EQ(cost.hops, hops);
  EXPECT_EQ(cost.bound, bound);
}

TEST_F(Cost, InTheBookACollectiveTakesTheLongerOfBytesAndHops) {
  const CostModel cost = model(book_);
  for (const MoveKind kind : {MoveKind::kAllGather, MoveKind::kReduceScatter}) {
    expect_cost(cost.move(kind, kX, 4000), 200, 4000, 2, Bound::kBandwidth);
    expect_cost(cost.move(kind, kXY, 4000), 100, 4000, 6, Bound::kBandwidth);
    expect_cost(cost.move(kind, kY, 60), 4, 60, 4, Bound::kLatency);
  }
  expect_cost(cost.move(MoveKind::kAllReduce, kX, 4000), 400, 8000, 4, Bound::kBandwidth);
  expect_cost(cost.move(MoveKind::kAllReduce, kY, 60), 8, 120, 8, Bound::kLatency);
  // V = 32 x 1000 over both axes: V max(4, 8) / (4 x 32 x 20).
  expect_cost(cost.move(MoveKind::kAllToAll, kXY, 1000), 100, 3000, 6, Bound::kBandwidth);
  expect_cost(cost.move(MoveKind::kAllToAll, kX, 1000), 50, 1000, 2, Bound::kBandwidth);
  expect_cost(cost.move(MoveKind::kAllToAll, kX, 20), 2, 20, 2, Bound::kLatency);
}

TEST_F(Cost, InTheBookMessagesWaitForTheirLatency) {
  const CostModel cost = model(book_);
  for (const MoveKind kind : {MoveKind::kRedistribute, MoveKind::kPermute}) {
    expect_cost(cost.move(kind, kXY, 1000), 106, 3000, 6, Bound::kBandwidth);
    expect_cost(cost.move(kind, kX, 20), 3, 20, 2, Bound::kLatency);
  }
}

TEST_F(Cost, ExactAddsHopsToBytesAndTellsThemApart) {
  const StepCost cost = model({}, lines()).move(MoveKind::kAllReduce, kY, 4000);
  expect_cost(cost, 2 * (7.0 / 8 * 400 + 7), 2 * 7.0 / 8 * 4000, 14, Bound::kBandwidth);
  EXPECT_DOUBLE_EQ(cost.byte_seconds, 2 * 7.0 / 8 * 400);
  EXPECT_DOUBLE_EQ(cost.hop_seconds, 14);
  EXPECT_DOUBLE_EQ(cost.link_bytes, 2 * 7.0 / 8 * 4000);
  expect_cost(model({}, lines()).move(MoveKind::kAllReduce, kY, 8), 2 * (0.7 + 7), 14, 14, Bound::kLatency);
}

TEST_F(Cost, AMeshAxisOnTwoAxesOfTheTorusCountsAsTwo) {
  expect_cost(model({}, lines()).move(MoveKind::kAllGather, kX, 4000), 3.0 / 4 * 200 + 2, 3000, 2, Bound::kBandwidth);
}

TEST_F(Cost, WithoutLatencyHopsAreFree) {
  CostSettings settings;
  settings.latency = LatencyRule::kNone;
  for (const MoveKind kind : {MoveKind::kAllGather, MoveKind::kRedistribute}) {
    const StepCost cost = model(settings).move(kind, kX, 4000);
    EXPECT_NEAR(cost.seconds, cost.byte_seconds, 1e-9);
    EXPECT_EQ(cost.hop_seconds, 0);
    EXPECT_EQ(cost.hops, 2);
    EXPECT_EQ(cost.bound, Bound::kBandwidth);
  }
}

TEST_F(Cost, NodesAreReadOffTheTopology) {
  Hardware hardware = Cost::hardware(NetworkKind::kSwitch);
  hardware.network.nodes = NodeNetwork{8, 20, 3};
  const CostModel cost(axes_, {hardware, {}, {{}, {}, nodes()}});
  // X has 2 devices in each of 2 nodes; 4 such groups share a node.
  expect_cost(cost.move(MoveKind::kAllGather, kX, 1000), 1000 * 4.0 / 2 / 20 + 1 + 3, 750, 2, Bound::kBandwidth);
  expect_cost(cost.move(MoveKind::kAllGather, kXY, 1000), 1000 * 7.0 / 8 / 10 + 1 + 3, 1000 * 31.0 / 32, 2,
              Bound::kBandwidth);
}

TEST_F(Cost, MeasuredBandwidthGoesByTheBytesOfTheWholeArray) {
  Hardware hardware = Cost::hardware(NetworkKind::kTorus);
  hardware.network.measured = {{"AllGather", {100, 10'000}, {1, 5}}, {"AllToAll", {100, 10'000}, {1, 5}}};
  const CostModel cost(axes_, {hardware, *find_cost_model("measured"), {{}, {}, rings()}});
  EXPECT_NEAR(cost.price(MoveKind::kAllGather, kX, 10'000).seconds, 3.0 / 4 * 10'000 / (2 * 5), 1e-8);
  EXPECT_NEAR(cost.price(MoveKind::kAllGather, kX, 100).seconds, 3.0 / 4 * 100 / (2 * 1), 1e-10);
  EXPECT_NEAR(cost.move(MoveKind::kAllToAll, kX, 2500).seconds, 4 * 2500 / 4 / (2 * 5), 1e-8);
  EXPECT_NEAR(cost.price(MoveKind::kRedistribute, kX, 100).seconds, 100 / (2 * 10.0), 1e-10);
  // The tables do not count unless they are asked for.
  const CostModel exact(axes_, {hardware, {}, {{}, {}, rings()}});
  EXPECT_NEAR(exact.price(MoveKind::kAllGather, kX, 100).seconds, 3.0 / 4 * 100 / (2 * 10) + 2, 1e-10);
}

TEST_F(Cost, SliceAndUnreduceAreFree) {
  for (const MoveKind kind : {MoveKind::kSlice, MoveKind::kUnreduce})
    for (const char* name : {"book", "exact", "measured"})
      expect_cost(model(*find_cost_model(name)).move(kind, 0, 4000), 0, 0, 0, Bound::kNone);
}

TEST_F(Cost, AnAllReduceOnALineOfFourTakes1118MicrosecondsOfBytesAndSixOfHops) {
  const Mesh mesh{{"Y", 4}};
  const AxisNumbering axes(mesh);
  Hardware v5e;
  v5e.network.link_bytes_per_second = 4.5e10;
  v5e.network.hop_seconds = 1e-6;
  Topology line, ring;
  line.torus = {{{4, false}}};
  ring.torus = {{{4, true}}};
  const double bytes = 2048.0 * 8192 * 2;
  const StepCost exact = CostModel(axes, {v5e, {}, {{}, {}, line}}).move(MoveKind::kAllReduce, 1, bytes);
  EXPECT_NEAR(exact.byte_seconds, 1118.48e-6, 0.01e-6);
  EXPECT_DOUBLE_EQ(exact.hop_seconds, 6e-6);
  EXPECT_NEAR(exact.seconds, 1124.48e-6, 0.01e-6);
  EXPECT_NEAR(CostModel(axes, {v5e, book_, {{}, {}, ring}}).move(MoveKind::kAllReduce, 1, bytes).seconds, 745.65e-6,
              0.01e-6);
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
