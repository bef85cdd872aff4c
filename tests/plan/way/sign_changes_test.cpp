#include "plan/way/sign_changes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace meshmul {
namespace {

TEST(SignChanges, AreFoundToTheLastDigit) {
  const auto changes = sign_changes([](double x) { return Sample{x - 1234.5, {}}; }, 1, 1e9);
  ASSERT_EQ(changes.size(), 1);
  EXPECT_DOUBLE_EQ(changes[0].at, 1234.5);
  EXPECT_TRUE(changes[0].to_positive);
}

TEST(SignChanges, AreAllFound) {
  const auto changes = sign_changes([](double x) { return Sample{(x - 3) * (x - 40) * (x - 41), {}}; }, 1, 100);
  ASSERT_EQ(changes.size(), 3);
  EXPECT_DOUBLE_EQ(changes[0].at, 3);
  EXPECT_DOUBLE_EQ(changes[1].at, 40);
  EXPECT_FALSE(changes[1].to_positive);
  EXPECT_DOUBLE_EQ(changes[2].at, 41);
}

/// Two changes a ten-thousandth apart, at the two sides of a kink: no grid of a thousand points would see them.
TEST(SignChanges, AreFoundOnBothSidesOfAKink) {
  const auto spike = [](double x) {
    const bool falls = x > 50;
    return Sample{0.0025 - std::abs(x - 50), {falls ? 1 : 0}};
  };
  const auto changes = sign_changes(spike, 1, 1e6);
  ASSERT_EQ(changes.size(), 2);
  EXPECT_NEAR(changes[0].at, 49.9975, 1e-9);
  EXPECT_NEAR(changes[1].at, 50.0025, 1e-9);
}

TEST(SignChanges, NeedOtherSignsAroundAStretchOfZeros) {
  const auto between = [](double x) { return x < 10 ? 10 - x : x > 20 ? 20 - x : 0; };
  const auto changes = sign_changes([&](double x) { return Sample{between(x), {}}; }, 1, 100);
  ASSERT_EQ(changes.size(), 1);
  EXPECT_NEAR(changes[0].at, 20, 1e-9);
  EXPECT_TRUE(sign_changes([&](double x) { return Sample{std::abs(between(x)), {}}; }, 1, 100).empty());
  EXPECT_TRUE(sign_changes([](double) { return Sample{0, {}}; }, 1, 100).empty());
}

}  // namespace
}  // namespace meshmul
