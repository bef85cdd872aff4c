// What holds for every timeline: of all collectives by all algorithms, as lowered and as legalized for a backend that can do
// least, on rings, lines and switches.

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "simulate/machines.hpp"

namespace meshmul {
namespace {

using namespace testing;

std::vector<MoveCase> all_cases() {
  std::vector<MoveCase> cases;
  for (const auto& some : {all_gather_cases(), reduce_scatter_cases(), all_reduce_cases(), all_to_all_cases(),
                           permute_cases(), redistribute_cases(), unreduce_cases()})
    cases.insert(cases.end(), some.begin(), some.end());
  return cases;
}

// Calls `check` with every schedule and topology.
template <class Check>
void for_each_schedule(const Check& check) {
  for (const MoveCase& move : all_cases()) {
    const Plan plan = move.plan();
    for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays})
      for (const bool legal : {false, true}) {
        Schedule schedule = lower(plan, {algorithm});
        if (legal) schedule = legalize(schedule, {false, false, false});
        SCOPED_TRACE(move.str() + " by " + std::string(name(algorithm)));
        for (const Topology& topology : {torus(plan.mesh, true), torus(plan.mesh, false), one_switch(plan.mesh)})
          check(schedule, topology);
      }
  }
}

Hardware slow_memory(NetworkKind kind) {
  Hardware hardware = machine(kind);
  hardware.chip.memory_bytes_per_second = 3e9;
  return hardware;
}

void expect_path_without_gap(const Timeline& timeline) {
  std::int64_t at = 0;
  for (const PathStep& step : timeline.critical_path) {
    EXPECT_EQ(step.start_ps, at);
    EXPECT_GT(step.end_ps, step.start_ps);
    at = step.end_ps;
  }
  EXPECT_EQ(at, timeline.makespan_ps);
}

TEST(Properties, TheCriticalPathGoesFromTheStartToTheMakespan) {
  for_each_schedule([](const Schedule& schedule, const Topology& topology) {
    for (const bool store_and_forward : {false, true}) {
      SimulateOptions options;
      options.store_and_forward = store_and_forward;
      expect_path_without_gap(simulate(schedule, slow_memory(topology.kind), topology, options));
    }
  });
}

TEST(Properties, SoItDoesWhereRanksShareWhatTheyNeed) {
  for_each_schedule([](const Schedule& schedule, const Topology& topology) {
    SimulateOptions options;
    options.ranks_per_core = 2;
    options.ranks_per_memory = 4;
    options.ranks_per_chip = topology.kind == NetworkKind::kSwitch ? 2 : 1;
    Hardware hardware = slow_memory(topology.kind);
    expect_path_without_gap(simulate(schedule, hardware, topology, options));
    hardware.chip.copy_engines = 1;
    expect_path_without_gap(simulate(schedule, hardware, topology, options));
  });
}

TEST(Properties, OpsOfALaneStartInOrderAndNoneEndsBeforeItStarts) {
  for_each_schedule([](const Schedule& schedule, const Topology& topology) {
    const Timeline timeline = simulate(schedule, slow_memory(topology.kind), topology);
    const Span* before = nullptr;
    for (const Span& span : timeline.spans) {
      EXPECT_LE(span.start_ps, span.end_ps);
      if (span.place.op > 0) {
        EXPECT_LE(before->start_ps, span.start_ps);
        const bool holds_the_lane = before->kind != SpanKind::kTransfer && before->kind != SpanKind::kSignal;
        if (holds_the_lane) {
          EXPECT_LE(before->end_ps, span.start_ps);
        }
      }
      before = &span;
    }
  });
}

TEST(Properties, ALinkCarriesOneTransferAtATime) {
  for_each_schedule([](const Schedule& schedule, const Topology& topology) {
    const Timeline timeline = simulate(schedule, slow_memory(topology.kind), topology);
    std::vector<std::int64_t> free_ps(timeline.links.size());
    for (const LinkUse& use : timeline.link_uses) {
      EXPECT_LE(free_ps[static_cast<std::size_t>(use.link)], use.start_ps);
      free_ps[static_cast<std::size_t>(use.link)] = use.end_ps;
    }
  });
}

// A schedule that was read has lines besides.
TEST(Properties, EqualSchedulesHaveEqualTimelines) {
  for_each_schedule([](const Schedule& schedule, const Topology& topology) {
    const Hardware hardware = slow_memory(topology.kind);
    const Timeline first = simulate(schedule, hardware, topology);
    Timeline again = simulate(parse_schedule(to_string(schedule)), hardware, topology);
    for (Span& span : again.spans) span.line = 0;
    EXPECT_EQ(first, again);
  });
}

TEST(Properties, NothingIsFasterThanItsBusiestLinkOrRank) {
  for_each_schedule([](const Schedule& schedule, const Topology& topology) {
    const Timeline timeline = simulate(schedule, slow_memory(topology.kind), topology);
    for (const std::int64_t busy_ps : link_busy_ps(timeline)) EXPECT_LE(busy_ps, timeline.makespan_ps);
    for (const RankUsage& rank : rank_usage(timeline)) EXPECT_LE(rank.compute_ps + rank.exposed_ps, rank.end_ps);
  });
}

}  // namespace
}  // namespace meshmul
