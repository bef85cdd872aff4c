#include <gmock/gmock.h>

#include "meshmul/hardware.hpp"

namespace meshmul {
namespace {

// What a product takes by its multiplications and by its matrices.
double taken(double m, double n, double k) { return 1e-9 * (m * n * k + 3 * m * k + 5 * k * n + 7 * m * n + 11); }

ProductTimes table() {
  ProductTimes times{Dtype::kF32, {1, 10, 100}, {2, 20, 200, 2000}, {1, 50}, {}};
  for (const double m : times.m)
    for (const double n : times.n)
      for (const double k : times.k) times.seconds.push_back(taken(m, n, k));
  return times;
}

TEST(HostTimes, AProductThatWasMeasuredTakesWhatWasMeasured) {
  EXPECT_DOUBLE_EQ(seconds(table(), 10, 200, 50), taken(10, 200, 50));
  EXPECT_DOUBLE_EQ(seconds(table(), 1, 2, 1), taken(1, 2, 1));
  EXPECT_DOUBLE_EQ(seconds(table(), 100, 2000, 50), taken(100, 2000, 50));
}

TEST(HostTimes, BetweenThePointsTimeIsThatOfMultiplicationsAndMatrices) {
  for (const double m : {1.0, 7.0, 63.0, 99.0})
    for (const double n : {3.0, 21.0, 1234.0})
      for (const double k : {2.0, 49.0})
        EXPECT_NEAR(seconds(table(), m, n, k), taken(m, n, k), 1e-12 * taken(m, n, k)) << m << " " << n << " " << k;
}

TEST(HostTimes, BeyondTheLargestTimeGrowsAsTheSizeDoes) {
  EXPECT_DOUBLE_EQ(seconds(table(), 300, 2000, 50), 3 * taken(100, 2000, 50));
  EXPECT_DOUBLE_EQ(seconds(table(), 10, 4000, 100), 4 * taken(10, 2000, 50));
}

TEST(HostTimes, BelowTheSmallestItIsThatOfTheSmallestAndNothingTakesNoTime) {
  EXPECT_DOUBLE_EQ(seconds(table(), 10, 1, 50), taken(10, 2, 50));
  EXPECT_EQ(seconds(table(), 0, 20, 50), 0);
  EXPECT_EQ(seconds(table(), 10, 20, 0), 0);
}

TEST(HostTimes, RatesLieOnAStraightLineBetweenLogarithmsAndStayOutside) {
  const FootprintRates rates{{1e3, 1e5}, {1e10, 1e8}, {4e9, 4e9}};
  EXPECT_DOUBLE_EQ(bytes_per_second(rates, 1e3), 1e10);
  EXPECT_NEAR(bytes_per_second(rates, 1e4), 1e9, 1);
  EXPECT_DOUBLE_EQ(bytes_per_second(rates, 1e5), 1e8);
  EXPECT_DOUBLE_EQ(bytes_per_second(rates, 10), 1e10);
  EXPECT_DOUBLE_EQ(bytes_per_second(rates, 1e9), 1e8);
  EXPECT_DOUBLE_EQ(busy_bytes_per_second(rates, 1e4), 4e9);
}

TEST(HostTimes, BusyCoresAreAsFastAsOneUnlessTheProfileSaysHowFast) {
  EXPECT_DOUBLE_EQ(busy_bytes_per_second({{1e3}, {1e10}, {}}, 5e3), 1e10);
}

}  // namespace
}  // namespace meshmul
