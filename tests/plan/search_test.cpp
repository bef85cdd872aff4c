#include "plan/search.hpp"

#include <gtest/gtest.h>

#include "meshmul/error.hpp"
#include "plan/exhaustive/random_statements.hpp"
#include "plan/toy_hardware.hpp"

namespace meshmul {
namespace {

using testing::RandomStatements;

std::vector<double> seconds(const std::vector<PricedSteps>& ways, const SearchOptions& options) {
  std::vector<double> seconds;
  for (const PricedSteps& way : ways) seconds.push_back(counted_seconds(way.price, options));
  return seconds;
}

/// Meshes on which bounds leave something out.
const Mesh kMeshes[] = {{{"X", 4}, {"Y", 4}}, {{"X", 2}, {"Y", 3}, {"Z", 4}}, {{"X", 4}, {"Y", 2}, {"Z", 2}}};

TEST(Search, FindsTheSameWithBoundsAsWithout) {
  RandomStatements draw(1);
  for (int i = 0; i < 150; ++i) {
    const Mesh& mesh = kMeshes[draw.pick(0, 2)];
    const Statement statement = draw.product(mesh);
    SCOPED_TRACE(to_string(statement, mesh) + " over " + mesh.str());
    Hardware hardware = testing::toy_hardware(draw.pick(0, 2) == 0 ? NetworkKind::kSwitch : NetworkKind::kTorus);
    draw.draw_rates(hardware);
    SearchOptions options;
    options.overlapped = draw.pick(0, 2) == 0;
    options.max_rejected = static_cast<std::size_t>(draw.pick(0, 15));
    for (const Machine& machine : machines(mesh, hardware, {})) {
      const StatementSearch search(statement, mesh, machine, std::nullopt);
      const auto on_machine = search.on(machine);
      const SearchResult all = on_machine->within(std::numeric_limits<double>::infinity(), options);
      // What half of the ways need takes memory that the others do not have.
      if (i % 2 == 0) options.memory_limit = (all.least_memory_bytes + all.best->price.memory_bytes) / 2;
      const SearchResult expected = on_machine->within(std::numeric_limits<double>::infinity(), options);
      const SearchResult found = on_machine->run(options);
      ASSERT_EQ(found.best->price.seconds_sequential(), expected.best->price.seconds_sequential());
      ASSERT_EQ(found.best->price.memory_bytes, expected.best->price.memory_bytes);
      ASSERT_EQ(found.best->price.sent_bytes, expected.best->price.sent_bytes);
      ASSERT_EQ(seconds(found.rejected, options), seconds(expected.rejected, options));
      ASSERT_LE(on_machine->least_seconds(options), counted_seconds(found.best->price, options) * (1 + 1e-11));
    }
  }
}

TEST(Search, FindsAllThatTakesNoLongerThanALimit) {
  RandomStatements draw(2);
  for (int i = 0; i < 150; ++i) {
    const Mesh& mesh = kMeshes[draw.pick(0, 2)];
    const Statement statement = draw.statement(mesh);
    SCOPED_TRACE(to_string(statement, mesh) + " over " + mesh.str());
    Hardware hardware = testing::toy_hardware();
    draw.draw_rates(hardware);
    const std::vector<Machine> all = machines(mesh, hardware, {});
    const StatementSearch search(statement, mesh, all.front(), std::nullopt);
    const auto on_machine = search.on(all.front());
    const SearchOptions options;
    const std::vector<double> expected = seconds(on_machine->run(options).rejected, options);
    for (const double limit : expected) {
      const std::vector<double> found = seconds(on_machine->within(limit, options).rejected, options);
      const auto within = [&](const std::vector<double>& times) {
        return std::count_if(times.begin(), times.end(), [&](double time) { return time <= limit; });
      };
      ASSERT_EQ(within(found), within(expected)) << limit;
    }
  }
}

TEST(Search, TriesLimitsThatRise) {
  const std::vector<double> limits = rising_limits(2);
  ASSERT_EQ(limits.size(), 5U);
  EXPECT_DOUBLE_EQ(limits[0], 2.5);
  EXPECT_TRUE(std::is_sorted(limits.begin(), limits.end()));
  EXPECT_EQ(limits.back(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(rising_limits(0), std::vector{std::numeric_limits<double>::infinity()});
}

}  // namespace
}  // namespace meshmul
