#include "meshmul/cost_model.hpp"

#include <gmock/gmock.h>

#include "support/error_of.hpp"

namespace meshmul {
namespace {

TEST(CostSettings, HaveTheNamesOfTheDocumentation) {
  EXPECT_THAT(cost_model_names(), ::testing::ElementsAre("exact", "book", "measured"));
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

TEST(CostSettings, AreReadBack) {
  for (const TopologyRule topology : {TopologyRule::kSlice, TopologyRule::kWrap, TopologyRule::kLine})
    for (const CountRule count : {CountRule::kLimit, CountRule::kFinite, CountRule::kWholeChunk})
      for (const LatencyRule latency : {LatencyRule::kMax, LatencyRule::kSum, LatencyRule::kNone})
        for (unsigned flags = 0; flags < 16; ++flags) {
          const CostSettings settings{
              topology, count, (flags & 1U) != 0, latency, (flags & 2U) != 0, (flags & 4U) != 0, (flags & 8U) != 0};
          EXPECT_EQ(parse_cost_settings(to_string(settings)), settings) << to_string(settings);
        }
  EXPECT_EQ(parse_cost_settings("one way"), parse_cost_settings("exact, one way"));
}

TEST(CostSettings, AreRefusedWithTheirPlace) {
  EXPECT_EQ(
      testing::error_of([] { parse_cost_settings("book, one wey"); }),
      "book, one wey\n"
      "      ^ 'one wey' is not a setting of the cost model; expected topology slice, topology wrap, topology line, "
      "count limit, count finite, count whole-chunk, latency max, latency sum, latency none, both ways, one way, "
      "measured bandwidth, nominal bandwidth, in-network reduction, no in-network reduction, efficiency, peak "
      "rates; did you mean one way?");
  EXPECT_NE(testing::error_of([] { parse_cost_settings("bok"); }).find("did you mean book?"), std::string::npos);
  EXPECT_NE(testing::error_of([] { parse_cost_settings("one way, book"); }).find("'book' is not"), std::string::npos);
  EXPECT_NE(testing::error_of([] { parse_cost_settings(""); }).find("'' is not a setting"), std::string::npos);
}

}  // namespace
}  // namespace meshmul
