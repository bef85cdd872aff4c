#include "check/double_double.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace meshmul::checking {
namespace {

TEST(DoubleDouble, KeepsWhatF64Drops) {
  DoubleDouble sum;
  sum.add(1e16);
  for (int i = 0; i < 1000; ++i) sum.add(0.25);
  sum.add(-1e16);
  EXPECT_EQ(sum.value(), 250);
}

TEST(DoubleDouble, KeepsTheLowHalfOfProducts) {
  DoubleDouble sum;
  const double x = 1 + 0x1p-30;
  sum.add_product(x, x);
  sum.add(-1 - 0x1p-29);
  EXPECT_EQ(sum.value(), 0x1p-60);
  EXPECT_NE(x * x - 1 - 0x1p-29, 0x1p-60);  // plain f64 does not see it
}

TEST(DoubleDouble, GivesInfinityAndNanAsPlainSumsDo) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  DoubleDouble sum;
  sum.add_product(kInfinity, 2);
  sum.add(1);
  EXPECT_EQ(sum.value(), kInfinity);
  sum.add(-kInfinity);
  EXPECT_TRUE(std::isnan(sum.value()));
}

}  // namespace
}  // namespace meshmul::checking
