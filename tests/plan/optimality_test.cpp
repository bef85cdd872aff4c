// Plans against the exhaustive planner of plan/exhaustive/, on every mesh of up to eight devices and three axes.
#include <gtest/gtest.h>

#include <limits>

#include "meshmul/error.hpp"
#include "meshmul/pareto.hpp"
#include "plan/exhaustive/random_statements.hpp"
#include "plan/exhaustive/statements.hpp"

namespace meshmul {
namespace {

using testing::Cost;
using testing::exhaustive_ways;
using testing::Front;
using testing::meshes_of;
using testing::num_long_axes;
using testing::PossibleMoves;
using testing::RandomStatements;

/// A network and a model of its costs.
struct Machine {
  const char* settings;
  NetworkKind kind = NetworkKind::kTorus;
  WrapRule wrap = {};
  bool full_duplex = true;
};

const Machine kMachines[] = {
    {"book"},
    {"book", NetworkKind::kSwitch},
    {"exact"},
    {"exact", NetworkKind::kTorus, {WrapRule::Kind::kNone}},
    {"exact", NetworkKind::kSwitch},
    {"exact, one way"},
    {"exact", NetworkKind::kTorus, {WrapRule::Kind::kLength, 4}},
    {"exact, latency max", NetworkKind::kTorus, {WrapRule::Kind::kLength, 2}},
    {"exact, count whole-chunk", NetworkKind::kTorus, {WrapRule::Kind::kWholeCubes, 2}},
    {"exact, latency none", NetworkKind::kTorus, {WrapRule::Kind::kNone}, false},
    {"exact", NetworkKind::kTorus, {WrapRule::Kind::kAll}, false},
};

Hardware hardware_of(const Machine& machine) {
  Hardware toy;
  toy.name = "toy";
  toy.network.kind = machine.kind;
  toy.network.wrap = machine.wrap;
  toy.network.full_duplex = machine.full_duplex;
  return toy;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The least time of the ways that fit.
double fastest(const Front& ways, double (Cost::*seconds)() const, double bytes = kInfinity) {
  double least = kInfinity;
  for (const Cost& way : ways)
    if (way.bytes <= bytes) least = std::min(least, (way.*seconds)());
  return least;
}

void expect_near(double found, double expected) { EXPECT_NEAR(found, expected, expected * 1e-9); }

void expect_optimal(const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                    const CostSettings& settings) {
  SCOPED_TRACE(to_string(statement, mesh) + " over " + mesh.str() + ", " + to_string(settings) + ", slice " +
               ::testing::PrintToString(hardware.slice));
  PlanOptions options;
  options.cost = settings;
  const Front ways = exhaustive_ways(statement, mesh, hardware, options);
  if (ways.empty())
    EXPECT_THROW(plan(statement, mesh, hardware, options), Error);
  else
    expect_near(plan(statement, mesh, hardware, options).seconds_sequential, fastest(ways, &Cost::seconds));
}

class Optimality : public ::testing::TestWithParam<int> {
 protected:
  /// Calls `check` with statements for every mesh of so many devices and every machine; most where there is most to
  /// choose.
  template <class F>
  static void for_each_case(unsigned seed, F&& check) {
    RandomStatements draw(seed);
    for (const Mesh& mesh : meshes_of(GetParam()))
      for (const Machine& machine : kMachines) {
        constexpr int kStatements[] = {1, 6, 10, 40};
        const int statements = std::max(1, kStatements[num_long_axes(mesh)] / MESHMUL_RANDOM_CASE_DIVISOR);
        for (int i = 0; i < statements; ++i) {
          Hardware hardware = hardware_of(machine);
          draw.draw_rates(hardware);
          const Statement statement = draw.statement(mesh);
          PlanOptions options;
          options.cost = parse_cost_settings(machine.settings);
          if (draw.pick(0, 3) == 0) options.wire_dtype = Dtype::kF64;
          SCOPED_TRACE(to_string(statement, mesh) + " over " + mesh.str() + ", " + machine.settings);
          check(draw, statement, mesh, hardware, options);
        }
      }
  }
};

TEST_P(Optimality, NoWayIsFasterThanThePlan) {
  for_each_case(1, [](RandomStatements&, const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                      PlanOptions options) {
    const Front ways = exhaustive_ways(statement, mesh, hardware, options);
    expect_near(plan(statement, mesh, hardware, options).seconds_sequential, fastest(ways, &Cost::seconds));
    options.overlapped = true;
    expect_near(plan(statement, mesh, hardware, options).seconds_overlapped, fastest(ways, &Cost::overlapped_seconds));
  });
}

TEST_P(Optimality, NoWayThatFitsIsFasterUnderAMemoryLimit) {
  int limits_that_bind = 0;
  for_each_case(2, [&](RandomStatements& draw, const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                       PlanOptions options) {
    const Front ways = exhaustive_ways(statement, mesh, hardware, options);
    const double limit = ways[static_cast<std::size_t>(draw.pick(0, static_cast<int>(ways.size()) - 1))].bytes;
    options.memory_bytes = static_cast<std::int64_t>(limit);
    const Plan found = plan(statement, mesh, hardware, options);
    expect_near(found.seconds_sequential, fastest(ways, &Cost::seconds, limit));
    EXPECT_LE(found.peak_bytes, *options.memory_bytes);
    if (fastest(ways, &Cost::seconds, limit) > fastest(ways, &Cost::seconds)) ++limits_that_bind;

    double least = kInfinity;
    for (const Cost& way : ways) least = std::min(least, way.bytes);
    options.memory_bytes = static_cast<std::int64_t>(least) - 1;
    EXPECT_THROW(plan(statement, mesh, hardware, options), Error);
  });
  if (GetParam() > 1) {
    EXPECT_GT(limits_that_bind, 0);
  }
}

ArrayType array(const char* name, const char* indices, const Sharding& sharding) {
  ArrayType type{name, Dtype::kF32, {}, sharding, false};
  for (const char* index = indices; *index != '\0'; ++index)
    type.dims.push_back({std::string(1, *index), *index == 'I' ? 23 : *index == 'J' ? 30 : 17});
  return type;
}

/// The four cases of a sharded product, and all others: each array whole, cut in either dimension, or partial.
TEST_P(Optimality, NoWayIsFasterForAnyShardingsOfAProductOnOneAxis) {
  RandomStatements draw(5);
  const Mesh mesh{{"X", GetParam()}};
  const std::vector<Sharding>& shardings = PossibleMoves::of(2, 1).shardings();
  for (const Machine& machine : kMachines)
    for (const Sharding& a : shardings)
      for (const Sharding& b : shardings)
        for (const Sharding& c : shardings) {
          if (draw.pick(1, MESHMUL_RANDOM_CASE_DIVISOR) > 1) continue;
          Hardware hardware = hardware_of(machine);
          draw.draw_rates(hardware);
          expect_optimal(Product{array("A", "IJ", a), array("B", "JK", b), array("C", "IK", c)}, mesh, hardware,
                         parse_cost_settings(machine.settings));
        }
}

TEST_P(Optimality, NoWayIsFasterForAnyChangeOfShardingOnTwoAxes) {
  RandomStatements draw(6);
  const std::vector<Sharding>& shardings = PossibleMoves::of(2, 2).shardings();
  for (const Mesh& mesh : meshes_of(GetParam())) {
    if (mesh.num_axes() != 2 || num_long_axes(mesh) != 2) continue;
    for (const Sharding& from : shardings)
      for (const Sharding& to : shardings) {
        if (draw.pick(1, MESHMUL_RANDOM_CASE_DIVISOR) > 1) continue;
        const Machine& machine = kMachines[draw.pick(0, static_cast<int>(std::size(kMachines)) - 1)];
        Hardware hardware = hardware_of(machine);
        draw.draw_rates(hardware);
        expect_optimal(Reshard{array("A", "IJ", from), array("A", "IJ", to)}, mesh, hardware,
                       parse_cost_settings(machine.settings));
      }
  }
}

/// The fastest first, without those whose time is more than that of a smaller one by rounding alone.
Front in_order(Front ways) {
  std::sort(ways.begin(), ways.end(), [](const Cost& a, const Cost& b) {
    return std::pair(a.bytes, a.seconds()) < std::pair(b.bytes, b.seconds());
  });
  Front kept;
  for (const Cost& way : ways)
    if (kept.empty() || way.seconds() < kept.back().seconds() * (1 - 1e-10)) kept.push_back(way);
  std::reverse(kept.begin(), kept.end());
  return kept;
}

TEST_P(Optimality, TheFrontIsThatOfAllWays) {
  std::size_t most_plans = 0;
  for_each_case(4, [&](RandomStatements&, const Statement& statement, const Mesh& mesh, const Hardware& hardware,
                       const PlanOptions& options) {
    const Front expected = in_order(exhaustive_ways(statement, mesh, hardware, options));
    const std::vector<Plan> found = pareto_front(statement, mesh, hardware, options);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t plan = 0; plan < found.size(); ++plan) {
      EXPECT_EQ(static_cast<double>(found[plan].peak_bytes), expected[plan].bytes);
      expect_near(found[plan].seconds_sequential, expected[plan].seconds());
    }
    most_plans = std::max(most_plans, found.size());
  });
  if (GetParam() > 1) {
    EXPECT_GE(most_plans, 2U);
  }
}

/// Slices of so many devices: 4; 1,4; 2,2; …
std::vector<std::vector<std::int64_t>> slices_of(std::int64_t num_devices) {
  std::vector<std::vector<std::int64_t>> slices;
  for (const Mesh& mesh : meshes_of(num_devices)) {
    std::vector<std::int64_t>& slice = slices.emplace_back();
    for (const MeshAxis& axis : mesh.axes()) slice.push_back(axis.size);
  }
  return slices;
}

TEST_P(Optimality, NoWayIsFasterOnAnyPlaceOnASlice) {
  RandomStatements draw(3);
  for (const std::vector<std::int64_t>& slice : slices_of(GetParam()))
    for (const Mesh& mesh : meshes_of(GetParam())) {
      const Machine& machine = kMachines[draw.pick(0, static_cast<int>(std::size(kMachines)) - 1)];
      const bool is_switch = machine.kind == NetworkKind::kSwitch;
      if (is_switch && slice.size() == 3) continue;
      Hardware hardware = hardware_of(machine);
      draw.draw_rates(hardware);
      hardware.slice = slice;
      if (is_switch) hardware.network.nodes = NodeNetwork{8, draw.pick(1, 9) * 1e4, draw.pick(1, 9) * 1e-4};
      expect_optimal(draw.statement(mesh), mesh, hardware, parse_cost_settings(machine.settings));
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, Optimality, ::testing::Range(1, 9));

}  // namespace
}  // namespace meshmul
