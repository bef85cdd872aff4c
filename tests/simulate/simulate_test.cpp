// What the simulator does op by op, on schedules that are small enough to work out by hand.

#include "meshmul/simulate.hpp"

#include <gmock/gmock.h>

#include <string>

#include "simulate/machines.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two ranks with a buffer `a` of 1000 bytes each, and the ops of their lanes.
Schedule two_ranks(const std::string& ops, const std::string& mesh = "X=2") {
  return parse_schedule("meshmul schedule 1\nmesh " + mesh +
                        "\nrequires get addressable strided\n"
                        "buffer a f32 [250] symmetric\nbuffer b f32 [250] symmetric\nbuffer s f32 [50, 50] symmetric\n"
                        "buffer t f32 [50, 50] symmetric\nbuffer u f32 [50, 50] symmetric\n"
                        "signal got\nsignal sent\nsignal credit\n" +
                        ops);
}

Timeline on_ring(const Schedule& schedule, const SimulateOptions& options = {}) {
  return simulate(schedule, machine(NetworkKind::kTorus), torus(schedule.contract.mesh, true), options);
}

std::vector<std::pair<std::int64_t, std::int64_t>> periods(const Timeline& timeline) {
  std::vector<std::pair<std::int64_t, std::int64_t>> periods;
  for (const Span& span : timeline.spans) periods.emplace_back(span.start_ps, span.end_ps);
  return periods;
}

TEST(Simulate, APutTakesItsBytesAndAHopAndItsLaneGoesOnAtOnce) {
  const Timeline timeline =
      on_ring(two_ranks("rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got sent sent\n"
                        "wait sent >= 1\nrank 1\nlane compute\nwait got >= 1\n"));
  EXPECT_THAT(periods(timeline),
              ElementsAre(std::pair(0, 2'000'000), std::pair(0, 1'000'000), std::pair(0, 2'000'000)));
  EXPECT_THAT(timeline.links, ElementsAre(Link{"0 -> 1", 0, 1}));
  EXPECT_THAT(timeline.link_uses, ElementsAre(LinkUse{0, 0, 0, 1'000'000}));
  EXPECT_EQ(timeline.makespan_ps, 2'000'000);
  EXPECT_THAT(timeline.critical_path, ElementsAre(PathStep{Blame::kLink, 0, 0, 0, 1'000'000},
                                                  PathStep{Blame::kLatency, 0, -1, 1'000'000, 2'000'000}));
  EXPECT_FALSE(timeline.measured);
}

TEST(Simulate, BytesQueueForALinkFirstComeFirstServed) {
  const Timeline timeline =
      on_ring(two_ranks("rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got\n"
                        "lane copy1\nput a@1[0:100] a[0:100] arrived sent\n"
                        "rank 1\nlane compute\nwait got >= 1\nwait sent >= 1\n",
                        "X=3"));
  EXPECT_THAT(timeline.link_uses, ElementsAre(LinkUse{0, 0, 0, 1'000'000}, LinkUse{0, 1, 1'000'000, 1'400'000}));
  EXPECT_THAT(timeline.critical_path, ElementsAre(PathStep{Blame::kLink, 0, 0, 0, 1'000'000},
                                                  PathStep{Blame::kLink, 1, 0, 1'000'000, 1'400'000},
                                                  PathStep{Blame::kLatency, 1, -1, 1'400'000, 2'400'000}));
}

TEST(Simulate, OppositeHalvesGoBothWaysRoundARingOfTwo) {
  const Timeline timeline =
      on_ring(two_ranks("rank 0\nlane copy0\nput b@1[0:125] a[0:125] arrived got\n"
                        "put b@1[125:250] a[125:250] arrived got\nrank 1\nlane compute\nwait got >= 2\n"));
  EXPECT_THAT(timeline.links, ElementsAre(Link{"0 -> 1", 0, 1}, Link{"0 -> 1 round", 0, 1}));
  EXPECT_EQ(timeline.makespan_ps, 1'500'000);
}

const char* const kTwoHops =
    "rank 0\nlane copy0\nput b@2[0:250] a[0:250] arrived got\nrank 2\nlane compute\nwait got >= 1\n";

TEST(Simulate, BytesCutThroughUnlessTheyAreStoredAndForwarded) {
  EXPECT_EQ(on_ring(two_ranks(kTwoHops, "X=5")).makespan_ps, 3'000'000);
  SimulateOptions options;
  options.store_and_forward = true;
  const Timeline timeline = on_ring(two_ranks(kTwoHops, "X=5"), options);
  EXPECT_EQ(timeline.makespan_ps, 4'000'000);
  EXPECT_THAT(blame_ps(timeline), ElementsAre(0, 2'000'000, 2'000'000, 0));
}

TEST(Simulate, OneWayRingsGoTheLongWay) {
  SimulateOptions options = without_latency();
  const Schedule back = two_ranks(
      "rank 1\nlane copy0\nput b@0[0:250] a[0:250] arrived got\nrank 0\nlane compute\n"
      "wait got >= 1\n",
      "X=3");
  EXPECT_EQ(on_ring(back, options).link_uses.size(), 1U);
  options.cost.both_ways = false;
  EXPECT_THAT(on_ring(back, options).links, ElementsAre(Link{"1 -> 2", 1, 2}, Link{"2 -> 0", 2, 0}));
}

TEST(Simulate, BothDirectionsOfAHalfDuplexLinkShareIt) {
  Hardware hardware = machine(NetworkKind::kTorus);
  hardware.network.full_duplex = false;
  const Schedule swap = two_ranks(
      "rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got\nwait got >= 1\n"
      "rank 1\nlane copy0\nput b@0[0:250] a[0:250] arrived got\nwait got >= 1\n");
  const Topology line = torus({{"X", 2}}, false);
  EXPECT_EQ(simulate(swap, hardware, line, without_latency()).makespan_ps, 2'000'000);
  EXPECT_THAT(simulate(swap, hardware, line).links, ElementsAre(Link{"0 -- 1", 0, 1}));
  hardware.network.full_duplex = true;
  EXPECT_EQ(simulate(swap, hardware, line, without_latency()).makespan_ps, 1'000'000);
}

TEST(Simulate, ASwitchTakesThePortsOfSenderAndReader) {
  const Schedule schedule = two_ranks(
      "rank 0\nlane copy0\nget b[0:250] a@1[0:250] arrived got taken credit\n"
      "wait got >= 1\nrank 1\nlane compute\nwait credit >= 1\n");
  const Timeline timeline = simulate(schedule, machine(NetworkKind::kSwitch), one_switch({{"X", 2}}));
  EXPECT_THAT(timeline.links, ElementsAre(Link{"rank 0 in", Link::kSwitch, 0}, Link{"rank 1 out", 1, Link::kSwitch}));
  EXPECT_THAT(periods(timeline),
              ElementsAre(std::pair(0, 2'000'000), std::pair(0, 2'000'000), std::pair(0, 2'000'000)));
}

TEST(Simulate, PortsOfNodesEndInTheNetwork) {
  Hardware hardware = machine(NetworkKind::kSwitch);
  hardware.network.nodes = NodeNetwork{1, kLinkRate, 1e-6};
  Topology topology = one_switch({{"X", 2}});
  std::swap(topology.in_node, topology.across_nodes);
  const Timeline timeline = simulate(
      two_ranks("rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got\nrank 1\nlane compute\nwait got >= 1\n"),
      hardware, topology);
  EXPECT_THAT(timeline.links, ElementsAre(Link{"node 0 out", Link::kNetwork, Link::kNetwork},
                                          Link{"node 1 in", Link::kNetwork, Link::kNetwork}));
}

TEST(Simulate, ASignalTakesAHopAndACreditIsBlamedForIt) {
  const Timeline timeline =
      on_ring(two_ranks("rank 0\nlane copy0\nsignal 1 credit\n"
                        "lane compute\nwait got >= 1\nrank 1\nlane copy0\nwait credit >= 1\n"
                        "put b@0[0:250] a[0:250] arrived got\n"));
  EXPECT_THAT(blame_ps(timeline), ElementsAre(0, 1'000'000, 1'000'000, 1'000'000));
}

TEST(Simulate, AProductTakesItsFlopsOrItsBytesAndIsPadded) {
  const Schedule schedule =
      two_ranks("rank 0\nlane compute\ngemm u[0:50, 0:50] s[0:50, 0:50] t[0:50, 0:50] ij,jk->ik\n");
  Hardware hardware = machine(NetworkKind::kTorus);
  const auto time = [&](const SimulateOptions& options) {
    return simulate(schedule, hardware, torus({{"X", 2}}, true), options).makespan_ps;
  };
  EXPECT_EQ(time({}), 2 * 50 * 50 * 50);
  hardware.chip.efficiency = 0.5;
  SimulateOptions options;
  options.cost.efficiency = true;
  EXPECT_EQ(time(options), 4 * 50 * 50 * 50);
  hardware.chip.matrix_unit = 100;
  EXPECT_EQ(time({}), 2 * 100 * 100 * 100);
  hardware.chip.memory_bytes_per_second = 1e9;
  EXPECT_EQ(time({}), 3 * 4 * 50 * 50 * 1000);
}

const std::string kProduct = "gemm u[0:50, 0:50] s[0:50, 0:50] t[0:50, 0:50] ij,jk->ik\n";
constexpr std::int64_t kProductPs = 2 * 50 * 50 * 50;

std::vector<std::int64_t> ends(const Timeline& timeline) {
  std::vector<std::int64_t> ends;
  for (const Span& span : timeline.spans) ends.push_back(span.end_ps);
  return ends;
}

TEST(Simulate, ACoreDoesOneOpAtATimeOfTheRanksThatShareIt) {
  const Schedule products = two_ranks("rank 0\nlane compute\n" + kProduct + kProduct + "rank 1\nlane compute\n" +
                                          kProduct + "rank 2\nlane compute\n" + kProduct,
                                      "X=3");
  SimulateOptions options;
  options.ranks_per_core = 2;
  const Timeline timeline = on_ring(products, options);
  EXPECT_THAT(ends(timeline), ElementsAre(kProductPs, 3 * kProductPs, 2 * kProductPs, kProductPs));
  EXPECT_EQ(timeline.spans[2].start_ps, kProductPs) << "rank 1 queues";
  EXPECT_THAT(timeline.critical_path, ElementsAre(PathStep{Blame::kCompute, 0, -1, 0, kProductPs},
                                                  PathStep{Blame::kCompute, 2, -1, kProductPs, 2 * kProductPs},
                                                  PathStep{Blame::kCompute, 1, -1, 2 * kProductPs, 3 * kProductPs}));
  EXPECT_THAT(ends(on_ring(two_ranks("rank 0\nlane compute\n" + kProduct), options)), ElementsAre(kProductPs))
      << "who is alone has all of it";
}

TEST(Simulate, AMemoryServesOneOpAfterTheOther) {
  Hardware hardware = machine(NetworkKind::kTorus);
  hardware.chip.memory_bytes_per_second = 1e9;
  const Schedule copies =
      two_ranks("rank 0\nlane compute\ncopy b[0:250] a[0:250]\nrank 1\nlane compute\ncopy b[0:125] a[0:125]\n");
  SimulateOptions options;
  options.ranks_per_memory = 2;
  const Timeline timeline = simulate(copies, hardware, torus({{"X", 2}}, true), options);
  EXPECT_THAT(periods(timeline), ElementsAre(std::pair(0, 2'000'000), std::pair(0, 3'000'000)));
  EXPECT_THAT(timeline.critical_path, ElementsAre(PathStep{Blame::kCompute, 0, -1, 0, 2'000'000},
                                                  PathStep{Blame::kCompute, 1, -1, 2'000'000, 3'000'000}));
}

TEST(Simulate, ArithmeticGoesOnWhileTheMemoryServesOthers) {
  Hardware hardware = machine(NetworkKind::kTorus);
  hardware.chip.flops_per_second = {{Dtype::kF32, 1e9}};  // 250 us a product
  hardware.chip.memory_bytes_per_second = 1e9;            // 30 us of bytes
  const Schedule products = two_ranks("rank 0\nlane compute\n" + kProduct + "rank 1\nlane compute\n" + kProduct);
  SimulateOptions options;
  options.ranks_per_memory = 2;
  EXPECT_EQ(simulate(products, hardware, torus({{"X", 2}}, true), options).makespan_ps, 250'000'000);
}

TEST(Simulate, RanksOfOneChipShareItsCoreAndItsPort) {
  SimulateOptions options = without_latency();
  options.ranks_per_chip = 2;
  const Schedule products = two_ranks("rank 0\nlane compute\n" + kProduct + "rank 1\nlane compute\n" + kProduct);
  EXPECT_EQ(on_ring(products, options).makespan_ps, 2 * kProductPs);
  const Schedule puts = two_ranks(
      "rank 0\nlane copy0\nput b@2[0:250] a[0:250] arrived got\nrank 1\nlane copy0\n"
      "put b@3[0:250] a[0:250] arrived got\nrank 2\nlane compute\nwait got >= 1\nrank 3\nlane compute\nwait got >= 1\n",
      "X=4");
  const Timeline timeline = simulate(puts, machine(NetworkKind::kSwitch), one_switch({{"X", 4}}), options);
  EXPECT_THAT(timeline.links, ElementsAre(Link{"chip 0 out", 0, Link::kSwitch}, Link{"chip 1 in", Link::kSwitch, 2}));
  EXPECT_EQ(timeline.makespan_ps, 2'000'000);
  EXPECT_EQ(on_ring(two_ranks(kTwoHops, "X=5"), options).makespan_ps, 2'000'000) << "half a link of a torus";
}

TEST(Simulate, PutsGetsAndCopiesQueueForCopyEngines) {
  Hardware hardware = machine(NetworkKind::kTorus);
  hardware.chip.memory_bytes_per_second = 2e9;
  const Schedule schedule = two_ranks(
      "rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got\nput t@3[0:50, 0:5] s[0:50, 0:5] arrived got\n"
      "lane compute\ncopy b[0:250] a[0:250]\nrank 1\nlane compute\nwait got >= 1\nrank 3\nlane compute\n"
      "wait got >= 1\n",
      "X=4");
  const auto simulated = [&] { return simulate(schedule, hardware, torus({{"X", 4}}, true), without_latency()); };
  EXPECT_THAT(ends(simulated()), ElementsAre(1'000'000, 1'000'000, 1'000'000, 1'000'000, 1'000'000));
  hardware.chip.copy_engines = 2;
  EXPECT_THAT(ends(simulated()), ElementsAre(1'000'000, 1'000'000, 2'000'000, 1'000'000, 1'000'000));
  hardware.chip.copy_engines = 1;
  const Timeline timeline = simulated();
  EXPECT_THAT(ends(timeline), ElementsAre(1'000'000, 2'000'000, 3'000'000, 1'000'000, 2'000'000));
  EXPECT_EQ(timeline.spans[1].start_ps, 1'000'000);
  EXPECT_THAT(blame_ps(timeline), ElementsAre(1'000'000, 2'000'000, 0, 0));
}

TEST(Simulate, WhatLiesAtAPeerComesOverItsLinksWhileTheOpWorks) {
  const Schedule schedule = two_ranks("rank 0\nlane compute\nreduce b[0:250] a@1[0:250]\ncopy b[0:1] a[0:1]\n");
  const Timeline timeline = simulate(schedule, machine(NetworkKind::kSwitch), one_switch({{"X", 2}}), {});
  EXPECT_EQ(timeline.spans.front().end_ps, 2'000'000);
  EXPECT_EQ(timeline.spans.back().start_ps, 2'000'000) << "the lane waits";
  EXPECT_EQ(timeline.critical_path.size(), 3U);
}

// The second get comes first, from a neighbour; the first one comes from far away.
TEST(Simulate, IncrementsOfOneWordBecomeVisibleInOrder) {
  const Timeline timeline =
      on_ring(two_ranks("rank 0\nlane copy0\nget b[0:250] a@3[0:250] arrived got\n"
                        "get a[0:10] b@1[0:10] arrived got\nlane compute\nwait got >= 1\n",
                        "X=7"));
  EXPECT_EQ(timeline.spans[2].end_ps, 4'000'000);
  EXPECT_EQ(timeline.spans[1].end_ps, 1'040'000);
}

TEST(Simulate, SpansNameTheLinesOfAScheduleThatWasRead) {
  const Schedule schedule = two_ranks("rank 0\nlane compute\ncopy b[0:250] a[0:250]\n\ncopy b[0:1] a[0:1]\n");
  const Timeline timeline = on_ring(schedule);
  EXPECT_EQ(timeline.spans[1].line, line_of(schedule, {0, 0, 1}));
  const Schedule built = collective(MoveKind::kAllGather, "A[I=4_X] -> A[I]", "X=2", Algorithm::kRing);
  EXPECT_EQ(on_ring(built).spans.front().line, 0);
}

TEST(Simulate, AStallIsReportedAsByVerify) {
  const Schedule schedule = two_ranks(
      "rank 0\nlane copy0\nwait got >= 1\nsignal 1 got\n"
      "rank 1\nlane copy0\nwait got >= 1\nsignal 0 got\n");
  EXPECT_EQ(error_of([&] { on_ring(schedule); }),
            "deadlock: rank 0, lane copy0, op 0 (line 14): waits for got >= 1, which stands at 0; rank 1, lane "
            "copy0, op 1 (line 19) would raise it, but op 0 (line 18) before it waits for got >= 1, which "
            "stands at 0; rank 0, lane copy0, op 1 (line 15) would raise it, but stands behind this wait");
}

TEST(Simulate, RefusesWhatItCannotTime) {
  const Schedule schedule = two_ranks("rank 0\nlane compute\ncopy b[0:250] a[0:250]\n");
  SimulateOptions options;
  options.ranks_per_core = 0;
  EXPECT_EQ(error_of([&] { on_ring(schedule, options); }), "0 ranks share a core; expected 1 to 1048576");
  const Hardware ring = machine(NetworkKind::kTorus);
  EXPECT_EQ(error_of([&] { simulate(schedule, ring, torus({{"X", 3}}, true)); }),
            "the topology is not that of the mesh X=2");
  Hardware slow = ring;
  slow.network.link_bytes_per_second = 1e-4;
  const Schedule put = two_ranks("rank 0\nlane copy0\nput b@1[0:250] a[0:250] arrived got\n");
  EXPECT_EQ(
      error_of([&] { simulate(put, slow, torus({{"X", 2}}, true)); }),
      "one op of the schedule takes 1.15e+06 s or more, or all together 9e+06 s; times are counted in picoseconds "
      "and hold no more");
  Hardware no_rate = ring;
  no_rate.chip.flops_per_second.clear();
  const Schedule product =
      two_ranks("rank 0\nlane compute\ngemm u[0:50, 0:50] s[0:50, 0:50] t[0:50, 0:50] ij,jk->ik\n");
  EXPECT_THAT(error_of([&] { simulate(product, no_rate, torus({{"X", 2}}, true)); }), ::testing::HasSubstr("f32"));
}

}  // namespace
}  // namespace meshmul
