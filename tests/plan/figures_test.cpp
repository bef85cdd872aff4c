#include "meshmul/figures.hpp"

#include <gtest/gtest.h>

#include "meshmul/way.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 8}};

ChunkFigures chunk(const char* text) {
  PlanOptions options;
  options.cost = *find_cost_model("book");
  const PricedWay way = price_way(parse_way(text, kMesh), kMesh, find_hardware("v5p"), options);
  return chunk_figures(std::get<Move>(way.steps.front()), kMesh, find_hardware("v5p")).value();
}

TEST(Figures, SayWhatAChipDoesPerByte) {
  const ChipFigures v5p = chip_figures(find_hardware("v5p"), Dtype::kBf16);
  EXPECT_DOUBLE_EQ(v5p.network_intensity, 4.59e14 / 1.8e11);
  EXPECT_DOUBLE_EQ(v5p.memory_intensity, 4.59e14 / 2.8e12);
  EXPECT_DOUBLE_EQ(v5p.latency_bytes, 90'000);
  // Through a switch a device sends one way.
  EXPECT_DOUBLE_EQ(chip_figures(find_hardware("h100"), Dtype::kBf16).network_intensity, 9.9e14 / 4.5e11);
}

TEST(Figures, CountTheChunksOfACollective) {
  const ChunkFigures gather = chunk("AllGather_X(i8 A[I=64_X, J=9])");
  EXPECT_DOUBLE_EQ(gather.bytes, 72);
  EXPECT_DOUBLE_EQ(gather.seconds, 72 / 9e10);
  // The antipodal blocks go half left and half right: 1 + 2 + 3 + 4/2 over each link.
  const ChunkFigures exchange = chunk("AllToAll_X,J(i8 A[I=64_X, J=8])");
  EXPECT_DOUBLE_EQ(exchange.bytes, 8);
  EXPECT_DOUBLE_EQ(exchange.hops_per_link, 8);
  EXPECT_DOUBLE_EQ(exchange.hops_per_device, 16);
  EXPECT_DOUBLE_EQ(chunk("ReduceScatter_X,I(i8 A[I=64]{U_X})").bytes, 8);
  EXPECT_DOUBLE_EQ(chunk("AllReduce_X(i8 A[I=64]{U_X})").bytes, 8);
}

TEST(Figures, HaveNoChunksWhereNothingIsCut) {
  const PricedWay way = price_way(parse_way("A[I=8] -> A[I_X]; B[J=0_X] -> B[J]", kMesh), kMesh, find_hardware("v5p"));
  for (const Step& step : way.steps)
    EXPECT_FALSE(chunk_figures(std::get<Move>(step), kMesh, find_hardware("v5p")).has_value());
}

TEST(Figures, SayHowLongADeviceReadsItsShard) {
  EXPECT_DOUBLE_EQ(read_seconds(parse_array("bf16 A[I=800_X, J=7]", kMesh), kMesh, find_hardware("v5p")),
                   1400 / 2.8e12);
}

}  // namespace
}  // namespace meshmul
