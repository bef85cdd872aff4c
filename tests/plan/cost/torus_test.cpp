// The tables of docs/cost-model.md for rings and lines, in their own units: time in V / W, that is by one axis in both
// directions.
#include "plan/cost/torus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace meshmul {
namespace {

constexpr double kLink = 10;  // bytes per second
constexpr double kHop = 0.5;  // seconds

Network network(bool full_duplex = true) {
  Network network;
  network.kind = NetworkKind::kTorus;
  network.link_bytes_per_second = kLink;
  network.hop_seconds = kHop;
  network.full_duplex = full_duplex;
  return network;
}

struct Setting {
  CountRule count = CountRule::kFinite;
  bool both_ways = true;
  bool full_duplex = true;
};

Charges charges(const std::vector<TorusAxis>& axes, const Setting& setting = {}) {
  CostSettings settings;
  settings.count = setting.count;
  settings.both_ways = setting.both_ways;
  return torus_charges(axes, network(setting.full_duplex), settings);
}

TorusAxis ring(std::int64_t size) { return {size, true}; }
TorusAxis line(std::int64_t size) { return {size, false}; }

constexpr Setting kLimit{CountRule::kLimit};
constexpr Setting kOneWay{CountRule::kFinite, false};
constexpr Setting kWholeChunk{CountRule::kWholeChunk};

/// Time in units of V / W of a gather or reduction of V.
double in_units(const Charge& charge) { return charge.seconds_per_byte * 2 * kLink; }
/// The same of an exchange, where a device holds v = V / N.
double in_units(const Charge& charge, double group) { return in_units(charge) / group; }

double gather(const std::vector<TorusAxis>& axes, const Setting& setting = {}) {
  return in_units(charges(axes, setting).gather);
}
double exchange(const std::vector<TorusAxis>& axes, const Setting& setting = {}) {
  double group = 1;
  for (const TorusAxis& axis : axes) group *= static_cast<double>(axis.size);
  return in_units(charges(axes, setting).exchange, group);
}

TEST(Torus, Formula1OneAxisOfFinitelyManyDevices) {
  for (const double n : {2, 3, 4, 5, 8, 16}) {
    const auto size = static_cast<std::int64_t>(n);
    EXPECT_DOUBLE_EQ(gather({ring(size)}), (n - 1) / n);
    EXPECT_DOUBLE_EQ(gather({line(size)}), 2 * (n - 1) / n);
    EXPECT_DOUBLE_EQ(gather({ring(size)}, kOneWay), 2 * (n - 1) / n);
    EXPECT_DOUBLE_EQ(gather({line(size)}, kOneWay), 2 * (n - 1) / n);
  }
  EXPECT_DOUBLE_EQ(gather({ring(4)}), 0.75);
  EXPECT_DOUBLE_EQ(gather({line(4)}), 1.5);
  EXPECT_DOUBLE_EQ(gather({ring(2)}), 0.5);
  EXPECT_DOUBLE_EQ(gather({line(2)}), 1);
}

TEST(Torus, Formula1OneAxisInTheLimit) {
  for (const std::int64_t size : {2, 3, 16}) {
    EXPECT_DOUBLE_EQ(gather({ring(size)}, kLimit), 1);
    EXPECT_DOUBLE_EQ(gather({line(size)}, kLimit), 2);
    EXPECT_DOUBLE_EQ(gather({ring(size)}, {CountRule::kLimit, false}), 2);
  }
}

TEST(Torus, Formula10WholeChunksTakeHalfTheRingEachWay) {
  for (const double n : {2, 3, 4, 5, 8, 9}) {
    const auto size = static_cast<std::int64_t>(n);
    EXPECT_DOUBLE_EQ(gather({ring(size)}, kWholeChunk), 2 * std::floor(n / 2) / n);
    EXPECT_DOUBLE_EQ(gather({line(size)}, kWholeChunk), 2 * (n - 1) / n);
    EXPECT_DOUBLE_EQ(gather({ring(size)}, {CountRule::kWholeChunk, false}), 2 * (n - 1) / n);
  }
  // Two rings bring 4 chunks at once: 15 others take 4 rounds, 5 others take 2.
  EXPECT_DOUBLE_EQ(gather({ring(4), ring(4)}, kWholeChunk), 4.0 / 16 * 2);
  EXPECT_DOUBLE_EQ(gather({ring(2), ring(3)}, kWholeChunk), 2.0 / 6 * 2);
  // A ring and a line bring 3.
  EXPECT_DOUBLE_EQ(gather({ring(4), line(2)}, kWholeChunk), 3.0 / 8 * 2);
}

TEST(Torus, Formula1SeveralAxesAddTheirCapacities) {
  EXPECT_DOUBLE_EQ(gather({ring(4), ring(8)}, kLimit), 1.0 / 2);
  EXPECT_DOUBLE_EQ(gather({ring(4), ring(4), ring(4)}), 63.0 / 64 / 3);
  EXPECT_DOUBLE_EQ(gather({ring(4), line(2)}), 7.0 / 8 * 2 / 3);
  EXPECT_DOUBLE_EQ(gather({line(2), line(2)}), 3.0 / 4);
  EXPECT_DOUBLE_EQ(gather({line(2), line(2)}, kLimit), 1);
}

TEST(Torus, Formula1CountsHopsToTheFarthestDevice) {
  const auto hops = [](const std::vector<TorusAxis>& axes, const Setting& setting = {}) {
    const Charge gather = charges(axes, setting).gather;
    EXPECT_DOUBLE_EQ(gather.latency_seconds, kHop * gather.hops);
    return gather.hops;
  };
  EXPECT_EQ(hops({ring(5)}), 2);
  EXPECT_EQ(hops({ring(5)}, kLimit), 2.5);
  EXPECT_EQ(hops({ring(5)}, kWholeChunk), 2);
  EXPECT_EQ(hops({ring(5)}, kOneWay), 4);
  EXPECT_EQ(hops({ring(5)}, {CountRule::kLimit, false}), 4);
  EXPECT_EQ(hops({line(5)}), 4);
  EXPECT_EQ(hops({line(5)}, kLimit), 4);
  EXPECT_EQ(hops({ring(4), line(3), ring(7)}), 2 + 2 + 3);
}

TEST(Torus, Formula2AnAllReduceIsAScatterAndAGather) {
  for (const Setting& setting : {Setting{}, kLimit, kOneWay, kWholeChunk}) {
    const Charges charged = charges({ring(4), line(3)}, setting);
    EXPECT_EQ(charged.all_reduce.seconds_per_byte, 2 * charged.gather.seconds_per_byte);
    EXPECT_EQ(charged.all_reduce.latency_seconds, 2 * charged.gather.latency_seconds);
    EXPECT_EQ(charged.all_reduce.hops, 2 * charged.gather.hops);
    EXPECT_EQ(charged.all_reduce.sent_per_byte, 2 * charged.gather.sent_per_byte);
    EXPECT_EQ(charged.all_reduce.link_per_byte, 2 * charged.gather.link_per_byte);
  }
}

TEST(Torus, Formula3OneAxisOfFinitelyManyDevices) {
  for (const double n : {2, 4, 8, 16}) {
    const auto size = static_cast<std::int64_t>(n);
    EXPECT_DOUBLE_EQ(exchange({ring(size)}), 1.0 / 4);
    EXPECT_DOUBLE_EQ(exchange({line(size)}), 1.0 / 2);
    EXPECT_DOUBLE_EQ(exchange({ring(size)}, kOneWay), (n - 1) / n);
  }
  for (const double n : {3, 5, 7}) {
    const auto size = static_cast<std::int64_t>(n);
    EXPECT_DOUBLE_EQ(exchange({ring(size)}), (1 - 1 / (n * n)) / 4);
    EXPECT_DOUBLE_EQ(exchange({line(size)}), (1 - 1 / (n * n)) / 2);
    EXPECT_DOUBLE_EQ(exchange({ring(size)}, kOneWay), (n - 1) / n);
  }
  EXPECT_DOUBLE_EQ(exchange({ring(5)}), 0.24);
}

TEST(Torus, Formula3TheLimitHasTheFormOfEvenSizes) {
  for (const std::int64_t size : {2, 3, 4, 5}) {
    EXPECT_DOUBLE_EQ(exchange({ring(size)}, kLimit), 1.0 / 4);
    EXPECT_DOUBLE_EQ(exchange({line(size)}, kLimit), 1.0 / 2);
    EXPECT_DOUBLE_EQ(exchange({ring(size)}, {CountRule::kLimit, false}), 1);
    EXPECT_EQ(exchange({ring(size)}, kWholeChunk), exchange({ring(size)}));
  }
}

TEST(Torus, Formula3TheLongestOfSeveralAxesDecides) {
  // V max(A, B, …) / (4 N W).
  EXPECT_DOUBLE_EQ(exchange({ring(4), ring(8)}), 8.0 / (4 * 32));
  EXPECT_DOUBLE_EQ(exchange({ring(4), ring(4), ring(4)}), 4.0 / (4 * 64));
  EXPECT_DOUBLE_EQ(exchange({ring(4), ring(4)}), exchange({ring(4)}) / 4);
  // A line of 4 is as slow as a ring of 8.
  EXPECT_DOUBLE_EQ(exchange({line(4), ring(8)}), 8.0 / (4 * 32));
  EXPECT_EQ(charges({ring(5), line(4)}).exchange.hops, 2 + 3);
}

/// Bytes over the busiest link in units of blocks of v / X, by walking every block along its way.
double busiest_link(int size, bool wraps, bool both_ways) {
  std::vector<double> right(static_cast<std::size_t>(size)), left(right);
  const auto walk = [&](int from, int hops, int direction, double share) {
    for (int hop = 0; hop < hops; ++hop) {
      const int at = ((from + direction * hop) % size + size) % size;
      (direction > 0 ? right : left)[static_cast<std::size_t>(at)] += share;
    }
  };
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to) {
      const int distance = (to - from + size) % size;
      if (!wraps) {
        walk(from, std::abs(to - from), to > from ? 1 : -1, 1);
      } else if (!both_ways || 2 * distance < size) {
        walk(from, distance, 1, 1);
      } else if (2 * distance > size) {
        walk(from, size - distance, -1, 1);
      } else {
        walk(from, distance, 1, 0.5);
        walk(from, distance, -1, 0.5);
      }
    }
  return std::max(*std::max_element(right.begin(), right.end()), *std::max_element(left.begin(), left.end()));
}

TEST(Torus, Formula3IsTheBusiestLinkOfAllBlocks) {
  for (int size = 2; size <= 9; ++size)
    for (const bool both_ways : {true, false})
      for (const bool wraps : {true, false}) {
        const Charge charged = charges({{size, wraps}}, {CountRule::kFinite, both_ways}).exchange;
        EXPECT_NEAR(charged.link_per_byte * size, busiest_link(size, wraps, both_ways), 1e-12);
        EXPECT_NEAR(charged.seconds_per_byte * kLink, charged.link_per_byte, 1e-12);
      }
}

TEST(Torus, Formula4ReceivesOverAllLinksAndCarriesAnExchange) {
  EXPECT_DOUBLE_EQ(in_units(charges({ring(2)}).message), 1);
  EXPECT_DOUBLE_EQ(in_units(charges({ring(8)}).message), 8.0 / 4);
  EXPECT_DOUBLE_EQ(in_units(charges({line(2)}).message), 2);
  EXPECT_DOUBLE_EQ(in_units(charges({ring(4), ring(4), ring(4)}).message), 1);
  EXPECT_DOUBLE_EQ(in_units(charges({ring(2), ring(2)}).message), 1.0 / 2);
  EXPECT_EQ(charges({ring(5), line(4)}).message.hops, 2 + 3);
}

TEST(Torus, Formula4IsNeverBelowFormulas1And3) {
  for (const std::vector<TorusAxis>& axes : {std::vector{ring(2)},
                                             {ring(3)},
                                             {line(2)},
                                             {ring(2), ring(3)},
                                             {ring(16), line(2)},
                                             {line(3), line(5)},
                                             {ring(2), ring(2), line(2)}})
    for (const CountRule count : {CountRule::kLimit, CountRule::kFinite, CountRule::kWholeChunk})
      for (const bool both_ways : {true, false})
        for (const bool full_duplex : {true, false}) {
          const Charges charged = charges(axes, {count, both_ways, full_duplex});
          for (const Charge& other : {charged.gather, charged.exchange}) {
            EXPECT_GE(charged.message.seconds_per_byte, other.seconds_per_byte);
            EXPECT_GE(charged.message.latency_seconds, other.latency_seconds);
            EXPECT_GE(charged.message.sent_per_byte, other.sent_per_byte);
          }
        }
}

TEST(Torus, DirectionsThatShareALinkHalveIt) {
  const Setting half{CountRule::kFinite, true, false};
  EXPECT_DOUBLE_EQ(gather({ring(4)}, half), 2 * gather({ring(4)}));
  EXPECT_DOUBLE_EQ(exchange({ring(4)}, half), 2 * exchange({ring(4)}));
  EXPECT_DOUBLE_EQ(exchange({line(4)}, half), 2 * exchange({line(4)}));
  const Setting half_one_way{CountRule::kFinite, false, false};
  EXPECT_DOUBLE_EQ(gather({ring(4)}, half_one_way), gather({ring(4)}, kOneWay));
  EXPECT_DOUBLE_EQ(exchange({ring(4)}, half_one_way), exchange({ring(4)}, kOneWay));
  // A link of a line carries every chunk, in one direction or the other: V / w.
  EXPECT_DOUBLE_EQ(gather({line(4)}, half), 2);
  EXPECT_DOUBLE_EQ(gather({line(4)}, {CountRule::kLimit, true, false}), 2);
}

TEST(Torus, BytesThatADeviceSendsAreThoseOfAllHops) {
  EXPECT_DOUBLE_EQ(charges({ring(4)}).gather.sent_per_byte, 3.0 / 4);
  EXPECT_DOUBLE_EQ(charges({ring(4), line(2)}, kLimit).gather.sent_per_byte, 1);
  EXPECT_DOUBLE_EQ(charges({ring(8)}).exchange.sent_per_byte, 2);        // N² / 4 hops of blocks of v / N
  EXPECT_DOUBLE_EQ(charges({ring(5)}).exchange.sent_per_byte, 6.0 / 5);  // 1 + 1 + 2 + 2 blocks
  EXPECT_DOUBLE_EQ(charges({line(3)}).exchange.sent_per_byte, 8.0 / 9);  // 8 hops of all 9 blocks
  EXPECT_DOUBLE_EQ(charges({ring(8)}, kOneWay).exchange.sent_per_byte, 3.5);
  EXPECT_DOUBLE_EQ(charges({ring(4), ring(8)}).exchange.sent_per_byte, 1 + 2);
  EXPECT_DOUBLE_EQ(charges({ring(2)}).message.sent_per_byte, 1);
  EXPECT_DOUBLE_EQ(charges({ring(8)}).message.sent_per_byte, 2);
}

}  // namespace
}  // namespace meshmul
