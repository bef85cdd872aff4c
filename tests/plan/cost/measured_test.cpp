#include "plan/cost/measured.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

/// Links of 100 B/s; gathers reach 10 at 1 kB and 40 at 100 kB.
Network network(const std::string& collective = "AllGather") {
  Network network;
  network.link_bytes_per_second = 100;
  network.measured.push_back({collective, {1e3, 1e5}, {10, 40}});
  return network;
}

TEST(Measured, PointsAreMet) {
  const MeasuredRates rates(network());
  EXPECT_NEAR(rates.slowdown(MoveKind::kAllGather, 1e3), 10, 1e-12);
  EXPECT_NEAR(rates.slowdown(MoveKind::kAllGather, 1e5), 2.5, 1e-12);
}

TEST(Measured, BetweenPointsBandwidthRisesEvenlyInLogarithms) {
  // Half way from 1e3 to 1e5 is 1e4, half way from 10 to 40 is 20.
  EXPECT_NEAR(MeasuredRates(network()).slowdown(MoveKind::kAllGather, 1e4), 5, 1e-12);
}

TEST(Measured, OutsideThePointsItStays) {
  const MeasuredRates rates(network());
  EXPECT_NEAR(rates.slowdown(MoveKind::kAllGather, 1), 10, 1e-12);
  EXPECT_NEAR(rates.slowdown(MoveKind::kAllGather, 1e12), 2.5, 1e-12);
  EXPECT_EQ(rates.slowdown(MoveKind::kAllGather, 0), 1);
}

TEST(Measured, ACollectiveWithoutATableTakesThatOfItsRelative) {
  const MeasuredRates gather{network("AllGather")};
  EXPECT_EQ(gather.slowdown(MoveKind::kReduceScatter, 5e3), gather.slowdown(MoveKind::kAllGather, 5e3));
  EXPECT_EQ(gather.slowdown(MoveKind::kAllReduce, 5e3), gather.slowdown(MoveKind::kAllGather, 5e3));
  const MeasuredRates reduce{network("AllReduce")};
  EXPECT_NEAR(reduce.slowdown(MoveKind::kAllGather, 1e4), 5, 1e-12);
  EXPECT_NEAR(reduce.slowdown(MoveKind::kReduceScatter, 1e4), 5, 1e-12);
  Network both = network("AllReduce");
  both.measured.push_back({"ReduceScatter", {1e3}, {50}});
  EXPECT_NEAR(MeasuredRates(both).slowdown(MoveKind::kReduceScatter, 1e4), 2, 1e-12);
  EXPECT_NEAR(MeasuredRates(both).slowdown(MoveKind::kAllReduce, 1e4), 5, 1e-12);
}

TEST(Measured, MovesWithoutATableHaveTheNominalBandwidth) {
  const MeasuredRates rates(network());
  for (const MoveKind kind : {MoveKind::kAllToAll, MoveKind::kPermute, MoveKind::kRedistribute, MoveKind::kSlice})
    EXPECT_EQ(rates.slowdown(kind, 1e4), 1);
  EXPECT_EQ(MeasuredRates().slowdown(MoveKind::kAllGather, 1e4), 1);
  EXPECT_NEAR(MeasuredRates(network("AllToAll")).slowdown(MoveKind::kAllToAll, 1e4), 5, 1e-12);
}

TEST(Measured, TimesRiseWithBytesIfThoseOfThePointsDo) {
  // Eight H100, AllReduce: on a straight line between bandwidths, 1 MB would take less time than 0.5 MB.
  Network h100;
  h100.link_bytes_per_second = 450e9;
  h100.measured.push_back(
      {"AllReduce", {0.5e6, 4e6, 17e6, 134e6, 268e6, 1.1e9, 4.3e9}, {7e9, 45e9, 127e9, 292e9, 323e9, 352e9, 364e9}});
  const MeasuredRates rates(h100);
  double before = 0;
  for (double bytes = 1e4; bytes < 1e11; bytes *= 1.1) {
    const double seconds = bytes * rates.slowdown(MoveKind::kAllReduce, bytes);
    EXPECT_GT(seconds, before);
    before = seconds;
  }
}

}  // namespace
}  // namespace meshmul
