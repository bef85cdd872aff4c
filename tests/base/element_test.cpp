#include "meshmul/element.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace meshmul {
namespace {

/// Every finite value of an 8- or 16-bit float type, ascending, one zero.
template <class T, class Bits>
std::vector<float> grid() {
  std::vector<float> values;
  for (unsigned code = 0; code <= std::numeric_limits<Bits>::max(); ++code) {
    T element;
    element.bits = static_cast<Bits>(code);
    const auto value = static_cast<float>(element);
    if (std::isfinite(value) && !(value == 0 && std::signbit(value))) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

/// Rounding is checked against a search of the grid: the nearest value, at a tie the one whose code is even.
template <class T, class Bits>
void rounds_to_nearest_even() {
  const std::vector<float> values = grid<T, Bits>();
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const float low = values[i];
    const float high = values[i + 1];
    EXPECT_EQ(static_cast<float>(T(low)), low);
    const double middle = (static_cast<double>(low) + high) / 2;
    const auto tie = static_cast<float>(middle);
    if (tie != middle) continue;  // bf16 subnormals: the middle is not an f32
    const T rounded(tie);
    EXPECT_EQ(rounded.bits & 1U, 0U) << low << " " << high;
    EXPECT_TRUE(static_cast<float>(rounded) == low || static_cast<float>(rounded) == high);
    EXPECT_EQ(static_cast<float>(T(std::nextafter(tie, low))), low) << low << " " << high;
    EXPECT_EQ(static_cast<float>(T(std::nextafter(tie, high))), high) << low << " " << high;
  }
}

TEST(Element, F8e4m3RoundsToNearestEven) { rounds_to_nearest_even<F8e4m3, std::uint8_t>(); }
TEST(Element, F16RoundsToNearestEven) { rounds_to_nearest_even<F16, std::uint16_t>(); }
TEST(Element, Bf16RoundsToNearestEven) { rounds_to_nearest_even<Bf16, std::uint16_t>(); }

TEST(Element, F8e4m3HasTheRangeOfTheOcpFormat) {
  const std::vector<float> values = grid<F8e4m3, std::uint8_t>();
  EXPECT_EQ(values.size(), 253U);  // 256 codes, two NaN, one zero counted once
  EXPECT_EQ(values.back(), 448.0F);
  EXPECT_EQ(static_cast<float>(F8e4m3(464.0F)), 448.0F);
  EXPECT_TRUE(std::isnan(static_cast<float>(F8e4m3(464.1F))));
  EXPECT_TRUE(std::isnan(static_cast<float>(F8e4m3(std::numeric_limits<float>::infinity()))));
  EXPECT_EQ(static_cast<float>(F8e4m3(0x1p-9F)), 0x1p-9F);
  EXPECT_TRUE(std::signbit(static_cast<float>(F8e4m3(-0.0F))));
}

TEST(Element, NanStaysNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(static_cast<float>(Bf16(nan))));
  EXPECT_TRUE(std::isnan(static_cast<float>(F16(nan))));
  EXPECT_TRUE(std::isnan(static_cast<float>(F8e4m3(nan))));
  EXPECT_TRUE(std::isnan(static_cast<float>(Bf16(std::bit_cast<float>(0x7F800001U)))));
}

TEST(Element, ConvertsThroughF32) {
  EXPECT_EQ(convert<std::int32_t>(std::int8_t{-7}), -7);
  EXPECT_EQ(static_cast<float>(convert<Bf16>(std::int32_t{255})), 255.0F);
  EXPECT_EQ(convert<double>(F16(1.5F)), 1.5);
}

}  // namespace
}  // namespace meshmul
