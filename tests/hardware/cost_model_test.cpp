#include "meshmul/cost_model.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

TEST(CostSettings, HaveTheNamesOfTheDocumentation) {
  EXPECT_THAT(cost_model_names(), testing::ElementsAre("exact", "book", "measured"));
  EXPECT_EQ(find_cost_model("exact"), CostSettings{});
  const CostSettings book = *find_cost_model("book");
  EXPECT_EQ(book.topology, TopologyRule::kWrap);
  EXPECT_EQ(book.count, CountRule::kLimit);
  EXPECT_EQ(book.latency, LatencyRule::kMax);
  const CostSettings measured = *find_cost_model("measured");
  EXPECT_EQ(measured.topology, TopologyRule::kSlice);
  EXPECT_EQ(measured.count, CountRule::kFinite);
  EXPECT_EQ(measured.latency, LatencyRule::kNone);
  EXPECT_TRUE(measured.measured_bandwidth && measured.efficiency);
  for (const std::string_view name : cost_model_names()) EXPECT_TRUE(find_cost_model(name)->both_ways);
  EXPECT_EQ(find_cost_model("exakt"), std::nullopt);
}

TEST(CostSettings, ArePrintedByTheNearestNameAndWhatDiffers) {
  for (const std::string_view name : cost_model_names()) EXPECT_EQ(to_string(*find_cost_model(name)), name);
  CostSettings settings;
  settings.topology = TopologyRule::kLine;
  settings.both_ways = false;
  EXPECT_EQ(to_string(settings), "exact, topology line, one way");
  settings = *find_cost_model("book");
  settings.latency = LatencyRule::kNone;
  settings.in_network_reduction = true;
  EXPECT_EQ(to_string(settings), "book, latency none, in-network reduction");
  settings = *find_cost_model("measured");
  settings.count = CountRule::kWholeChunk;
  settings.efficiency = false;
  EXPECT_EQ(to_string(settings), "measured, count whole-chunk, peak rates");
}

TEST(CostSettings, AsNearToTwoNamesTakeTheDefault) {
  CostSettings settings;
  settings.topology = TopologyRule::kWrap;
  settings.latency = LatencyRule::kNone;  // two from exact, two from book
  EXPECT_EQ(to_string(settings), "exact, topology wrap, latency none");
}

}  // namespace
}  // namespace meshmul
