#include "plan/cost/switch.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

/// Ports of 10 B/s with hops of 1 s; nodes of 8 devices that send 40 B/s together, over hops of 3 s.
Network network() {
  Network network;
  network.link_bytes_per_second = 10;
  network.hop_seconds = 1;
  network.nodes = NodeNetwork{8, 40, 3};
  return network;
}

Charges charges(const NodeGroup& group, const CostSettings& settings = {}, const Network& on = network()) {
  return switch_charges(group, on, settings);
}

CostSettings counting(CountRule rule) {
  CostSettings settings;
  settings.count = rule;
  return settings;
}

void expect_charge(const Charge& charge, double seconds, double sent, double hops, double latency) {
  EXPECT_DOUBLE_EQ(charge.seconds_per_byte, seconds);
  EXPECT_DOUBLE_EQ(charge.sent_per_byte, sent);
  EXPECT_EQ(charge.hops, hops);
  EXPECT_EQ(charge.latency_seconds, latency);
}

TEST(Switch, Formulas5To8OfOneNode) {
  const Charges one = charges({8, 1, 1});
  expect_charge(one.gather, 7.0 / 8 / 10, 7.0 / 8, 1, 1);
  expect_charge(one.all_reduce, 2 * 7.0 / 8 / 10, 2 * 7.0 / 8, 2, 2);
  expect_charge(one.exchange, 7.0 / 8 / 10, 7.0 / 8, 1, 1);
  expect_charge(one.message, 1.0 / 10, 1, 1, 1);
  EXPECT_DOUBLE_EQ(one.all_reduce.link_per_byte, 2 * 7.0 / 8);
}

TEST(Switch, Formulas5To8DependOnNoOtherGroup) {
  const Charges alone = charges({4, 1, 1});
  const Charges one_of_two = charges({4, 1, 2});
  EXPECT_EQ(alone.gather.seconds_per_byte, one_of_two.gather.seconds_per_byte);
  EXPECT_EQ(alone.message.seconds_per_byte, one_of_two.message.seconds_per_byte);
}

TEST(Switch, RulesOfCountingAreOfRings) {
  for (const CountRule rule : {CountRule::kLimit, CountRule::kWholeChunk})
    for (const NodeGroup& group : {NodeGroup{2, 1, 1}, {8, 1, 1}, {8, 4, 1}, {1, 4, 8}}) {
      EXPECT_EQ(charges(group, counting(rule)).gather.seconds_per_byte, charges(group).gather.seconds_per_byte);
      EXPECT_EQ(charges(group, counting(rule)).exchange.seconds_per_byte, charges(group).exchange.seconds_per_byte);
      EXPECT_EQ(charges(group, counting(rule)).gather.sent_per_byte, charges(group).gather.sent_per_byte);
    }
}

TEST(Switch, ASwitchThatAddsUpTakesTheBytesOnce) {
  CostSettings settings;
  settings.in_network_reduction = true;
  Network adding = network();
  adding.reduces = true;
  expect_charge(charges({8, 1, 1}, settings, adding).all_reduce, 1.0 / 10, 1, 1, 1);
  expect_charge(charges({8, 1, 1}, settings, adding).gather, 7.0 / 8 / 10, 7.0 / 8, 1, 1);
  // Up through the node and on through the network; four groups would fill the egress.
  expect_charge(charges({8, 4, 1}, settings, adding).all_reduce, 1.0 / 10, 1, 2, 1 + 3);
  EXPECT_DOUBLE_EQ(charges({2, 4, 4}, settings, adding).all_reduce.seconds_per_byte, 4.0 / 40);
  EXPECT_DOUBLE_EQ(charges({1, 4, 8}, settings, adding).all_reduce.seconds_per_byte, 8.0 / 40);
  // Neither alone is enough: the setting, or the switch.
  EXPECT_EQ(charges({8, 1, 1}, {}, adding).all_reduce.hops, 2);
  EXPECT_EQ(charges({8, 1, 1}, settings).all_reduce.hops, 2);
}

TEST(Switch, Formula11TheSlowerOfPortAndEgress) {
  // B max((D1 - 1) / (D1 W1), (D2 - 1) / (D2 W2)) of the tree.
  expect_charge(charges({8, 4, 1}).gather, std::max(7.0 / 8 / 10, 3.0 / 4 / 40), 31.0 / 32, 2, 1 + 3);
  Network slow = network();
  slow.nodes->bytes_per_second = 2;
  EXPECT_DOUBLE_EQ(charges({8, 4, 1}, {}, slow).gather.seconds_per_byte, 3.0 / 4 / 2);
}

TEST(Switch, Formula11GroupsOfANodeShareItsEgress) {
  // An array that an inner axis of Y devices of each node cuts as well: B = Y V, and the egress takes B / W_node whatever
  // Y is (B D / (W_node max(D, Y)) in the book's form).
  Network slow = network();
  slow.nodes->bytes_per_second = 2;
  for (const double inner : {1, 2, 4, 8}) {
    const double of_whole = charges({8 / inner, 4, inner}, {}, slow).gather.seconds_per_byte / inner;
    EXPECT_DOUBLE_EQ(of_whole, 3.0 / 4 / 2);
  }
  // If Y fills whole nodes, the nodes that it spans share the work.
  EXPECT_DOUBLE_EQ(charges({1, 4, 8}, {}, slow).gather.seconds_per_byte / 32, 3.0 / 4 * 8 / 32 / 2);
}

TEST(Switch, Formula12AnAllReduceAcrossNodesIsAScatterAndAGather) {
  const Charges both = charges({8, 4, 1});
  EXPECT_EQ(both.all_reduce.seconds_per_byte, 2 * both.gather.seconds_per_byte);
  EXPECT_EQ(both.all_reduce.latency_seconds, 2 * both.gather.latency_seconds);
}

TEST(Switch, Formula13AnExchangeAcrossNodes) {
  // B (M - 1) / (M² W_node), with B = 8 M v of all devices together.
  Network slow = network();
  slow.nodes->bytes_per_second = 2;
  expect_charge(charges({8, 4, 1}, {}, slow).exchange, 8 * 4 * 3.0 / (4 * 4 * 2), 7.0 / 8 + 3.0 / 4, 2, 4);
  EXPECT_DOUBLE_EQ(charges({2, 4, 4}, {}, slow).exchange.seconds_per_byte, 8 * 3.0 / (4 * 2));
  EXPECT_DOUBLE_EQ(charges({8, 4, 1}).exchange.seconds_per_byte, 8 * 3.0 / (4 * 40));
}

TEST(Switch, Formula14MessagesOfAllDevicesShareTheEgress) {
  expect_charge(charges({8, 4, 1}).message, std::max(1.0 / 10, 8.0 / 40), 1, 2, 4);
  EXPECT_DOUBLE_EQ(charges({1, 2, 4}).message.seconds_per_byte, 4.0 / 40);
}

TEST(Switch, AGroupWithOneDeviceANodeUsesNoPort) {
  expect_charge(charges({1, 4, 8}).gather, 8 * 3.0 / 4 / 40, 3.0 / 4, 1, 3);
  EXPECT_EQ(charges({1, 4, 8}).gather.link_per_byte, 0);
}

TEST(Switch, Formulas8And14AreNeverBelowTheOthers) {
  for (const NodeGroup& group : {NodeGroup{8, 1, 1}, {2, 1, 4}, {8, 4, 1}, {2, 3, 4}, {1, 5, 8}}) {
    const Charges charged = charges(group);
    EXPECT_GE(charged.message.seconds_per_byte, charged.gather.seconds_per_byte);
    EXPECT_GE(charged.message.seconds_per_byte, charged.exchange.seconds_per_byte);
    EXPECT_GE(charged.message.latency_seconds, charged.exchange.latency_seconds);
  }
}

TEST(Switch, APortThatSendsAndReceivesInTurnIsHalfAsFast) {
  Network half = network();
  half.full_duplex = false;
  EXPECT_DOUBLE_EQ(charges({8, 1, 1}, {}, half).gather.seconds_per_byte, 2 * 7.0 / 8 / 10);
  EXPECT_DOUBLE_EQ(charges({1, 4, 8}, {}, half).gather.seconds_per_byte, charges({1, 4, 8}).gather.seconds_per_byte);
}

}  // namespace
}  // namespace meshmul
