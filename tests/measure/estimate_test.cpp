#include "measure/estimate.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace meshmul::measure {
namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

TEST(Estimate, TheMedianOfAnEvenNumberIsBetweenTheTwoInTheMiddle) {
  EXPECT_EQ(estimate({3, 1, 2}).median, 2);
  EXPECT_EQ(estimate({4, 1, 3, 2}).median, 2.5);
}

// Tables of the sign test: of 6 values the range, of 31 the 10th on both sides, of 100 the 40th.
TEST(Estimate, TheIntervalIsThatOfTheTables) {
  const Estimate six = estimate(one_to(6));
  EXPECT_EQ(six.low, 1);
  EXPECT_EQ(six.high, 6);
  EXPECT_NEAR(six.coverage, 1 - 2.0 / 64, 1e-12);
  const Estimate of_31 = estimate(one_to(31));
  EXPECT_EQ(of_31.low, 10);
  EXPECT_EQ(of_31.high, 22);
  EXPECT_NEAR(of_31.coverage, 0.9706, 1e-4);
  const Estimate of_100 = estimate(one_to(100));
  EXPECT_EQ(of_100.low, 40);
  EXPECT_EQ(of_100.high, 61);
  EXPECT_NEAR(of_100.coverage, 0.9648, 1e-4);
}

TEST(Estimate, FewerThanSixValuesGiveTheirRangeAndSayWhatItCovers) {
  const Estimate one = estimate({7});
  EXPECT_EQ(one.low, 7);
  EXPECT_EQ(one.high, 7);
  EXPECT_EQ(one.coverage, 0);
  const Estimate three = estimate({5, 9, 6});
  EXPECT_EQ(three.low, 5);
  EXPECT_EQ(three.high, 9);
  EXPECT_DOUBLE_EQ(three.coverage, 0.75);
}

// Of many samples of one distribution about as many intervals hold its median as they say.
TEST(Estimate, TheIntervalHoldsTheTrueMedianAsOftenAsItSays) {
  std::mt19937_64 random(11);
  std::exponential_distribution<double> waiting(std::log(2.0));  // its median is 1
  constexpr int kSamples = 4000;
  int held = 0;
  double coverage = 0;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::vector<double> values(15);
    for (double& value : values) value = waiting(random);
    const Estimate found = estimate(values);
    held += found.low <= 1 && 1 <= found.high;
    coverage = found.coverage;
  }
  EXPECT_GE(coverage, 0.95);
  EXPECT_NEAR(static_cast<double>(held) / kSamples, coverage, 0.01);
}

TEST(Estimate, RatiosAreThoseOfNeighbours) {
  // The machine became half as fast after the second pair; neighbours do not see it.
  const Estimate ratio = estimate_of_ratios({1, 1, 2, 2}, {2, 2, 4, 4});
  EXPECT_EQ(ratio.median, 0.5);
  EXPECT_EQ(ratio.low, 0.5);
  EXPECT_EQ(ratio.high, 0.5);
}

}  // namespace
}  // namespace meshmul::measure
