#include "schedule/collectives/ring_plan.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace meshmul {
namespace {

double end_of(const RingPlan& plan) {
  double end = 0;
  for (const RingStep& step : plan.steps) end = std::max(end, step.end);
  return end;
}

TEST(RingPlan, WithoutAxesThatAreLongerThanOneHasOnePartAndNoSteps) {
  const RingPlan plan = plan_rings({{"X", 1}, {"Y", 3}}, {0}, Ways::kOne);
  EXPECT_EQ(plan.parts.size(), 1U);
  EXPECT_TRUE(plan.steps.empty());
}

TEST(RingPlan, OnAxesOfOneSizeNoLinkWaits) {
  // A device has 15 blocks to receive over two links one way, or over four both ways.
  const Mesh mesh{{"X", 4}, {"Y", 4}};
  EXPECT_DOUBLE_EQ(end_of(plan_rings(mesh, {0, 1}, Ways::kOne)), 7.5);
  EXPECT_DOUBLE_EQ(end_of(plan_rings(mesh, {0, 1}, Ways::kBoth)), 3.75);
  EXPECT_NEAR(end_of(plan_rings({{"X", 3}, {"Y", 3}, {"Z", 3}}, {0, 1, 2}, Ways::kBoth)), 26.0 / 6, 1e-12);
}

TEST(RingPlan, OnAxesOfSeveralSizesTakesLittleLongerThanTheLinksMust) {
  EXPECT_NEAR(end_of(plan_rings({{"X", 4}, {"Y", 8}}, {0, 1}, Ways::kBoth)), 31.0 / 4, 31.0 / 4 / 50);
  EXPECT_NEAR(end_of(plan_rings({{"X", 2}, {"Y", 4}}, {0, 1}, Ways::kBoth)), 7.0 / 4, 7.0 / 4 / 10);
}

TEST(RingPlan, ABlockIsSentOnOnlyOnceItIsThereAndALinkCarriesOneAtATime) {
  for (const Mesh& mesh : {Mesh{{"X", 2}, {"Y", 3}}, Mesh{{"X", 2}, {"Y", 2}, {"Z", 3}}, Mesh{{"X", 5}}})
    for (const Ways ways : {Ways::kOne, Ways::kBoth}) {
      std::vector<int> axes;
      for (int axis = 0; axis < mesh.num_axes(); ++axis) axes.push_back(axis);
      const RingPlan plan = plan_rings(mesh, axes, ways);
      std::map<int, double> free_from;                               // by pair of lanes
      std::map<std::tuple<std::size_t, int, int>, RingStep> before;  // by part, phase, block
      for (const RingStep& step : plan.steps) {
        const int lanes = plan.parts[step.part].lane_pair(step.phase);
        EXPECT_GE(step.begin, free_from[lanes]);
        EXPECT_GE(step.begin, step.ready);
        const auto [last, is_first] = before.try_emplace({step.part, step.phase, step.block}, step);
        EXPECT_EQ(step.hop, is_first ? 1 : last->second.hop + 1);
        if (!is_first) {
          EXPECT_GE(step.ready, last->second.end);
        }
        free_from[lanes] = step.end;
        last->second = step;
      }
    }
}

}  // namespace
}  // namespace meshmul
