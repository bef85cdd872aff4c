#include "plan/way/sign_changes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace meshmul {
namespace {

TEST(SignChanges, AreFoundToTheLastDigit) {
  const auto changes = signs_of([](double x) { return Sample{x - 1234.5, {}}; }, 1, 1e9).changes;
  ASSERT_EQ(changes.size(), 1);
  EXPECT_DOUBLE_EQ(changes[0].at, 1234.5);
  EXPECT_EQ(changes[0].sign, 1);
}

TEST(SignChanges, AreAllFound) {
  const auto changes = signs_of([](double x) { return Sample{(x - 3) * (x - 40) * (x - 41), {}}; }, 1, 100).changes;
  ASSERT_EQ(changes.size(), 3);
  EXPECT_DOUBLE_EQ(changes[0].at, 3);
  EXPECT_DOUBLE_EQ(changes[1].at, 40);
  EXPECT_EQ(changes[1].sign, -1);
  EXPECT_DOUBLE_EQ(changes[2].at, 41);
}

/// Two changes a ten-thousandth apart, at the two sides of a kink: no grid of a thousand points would see them.
TEST(SignChanges, AreFoundOnBothSidesOfAKink) {
  const auto spike = [](double x) {
    const bool falls = x > 50;
    return Sample{0.0025 - std::abs(x - 50), {falls ? 1 : 0}};
  };
  const auto changes = signs_of(spike, 1, 1e6).changes;
  ASSERT_EQ(changes.size(), 2);
  EXPECT_NEAR(changes[0].at, 49.9975, 1e-9);
  EXPECT_NEAR(changes[1].at, 50.0025, 1e-9);
}

TEST(SignChanges, TakeAStretchOfZerosForASign) {
  const auto flat = [](double x) { return Sample{x < 10 ? 10 - x : x > 20 ? 20 - x : 0, {}}; };
  const Signs signs = signs_of(flat, 1, 100);
  EXPECT_EQ(signs.at_low, 1);
  ASSERT_EQ(signs.changes.size(), 2);
  EXPECT_DOUBLE_EQ(signs.changes[0].at, 10);
  EXPECT_EQ(signs.changes[0].sign, 0);
  EXPECT_NEAR(signs.changes[1].at, 20, 1e-9);
  EXPECT_EQ(signs.changes[1].sign, -1);
  EXPECT_TRUE(signs_of([](double) { return Sample{0, {}}; }, 1, 100).changes.empty());
}

/// The ends of the range are looked at, so that these zeros are hit.
TEST(SignChanges, DoNotTakeASingleZeroForASign) {
  const Signs signs = signs_of([](double x) { return Sample{(x - 1) * (100 - x), {}}; }, 1, 100);
  EXPECT_EQ(signs.at_low, 1);
  EXPECT_TRUE(signs.changes.empty());
}

}  // namespace
}  // namespace meshmul
