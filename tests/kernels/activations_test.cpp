#include "kernels/activations.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace meshmul {
namespace {

/// f32 functions against the same in f64, over all magnitudes that matter and beyond.
template <class Function>
void expect_close_to_f64(Function function, double relative) {
  for (float x = -90; x < 90; x += 0.0173F) {
    const double expected = function(static_cast<double>(x));
    const double found = static_cast<double>(function(x));
    // Below the smallest normal f32 times the largest x, only the size has to be right.
    EXPECT_NEAR(found, expected, std::abs(expected) * relative + 90 * 0x1p-125) << x;
  }
}

TEST(Activations, follow_f64_to_a_few_units_of_f32) {
  // Three roundings of an exponent of size up to 88 make 3 * 88 * 2^-24 = 1.6e-5; that of silu is exact.
  expect_close_to_f64([](auto x) { return silu(x); }, 2e-6);
  expect_close_to_f64([](auto x) { return gelu(x); }, 2e-5);
  expect_close_to_f64([](auto x) { return gelu_tanh(x); }, 2e-5);
}

TEST(Activations, keep_zero_infinity_and_nan) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const auto function :
       {+[](float x) { return gelu(x); }, +[](float x) { return gelu_tanh(x); }, +[](float x) { return silu(x); }}) {
    EXPECT_EQ(function(0.0F), 0.0F);
    EXPECT_EQ(function(infinity), infinity);
    EXPECT_TRUE(std::isnan(function(std::numeric_limits<float>::quiet_NaN())));
  }
}

TEST(FastExp, is_right_to_two_units) {
  for (float x = -87; x < 88; x += 0.00713F) {
    const double expected = std::exp(static_cast<double>(x));
    EXPECT_NEAR(static_cast<double>(fast_exp(x)), expected, expected * 0x1p-22) << x;
  }
  EXPECT_EQ(fast_exp(0.0F), 1.0F);
}

}  // namespace
}  // namespace meshmul
