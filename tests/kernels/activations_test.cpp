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

/// A derivative passes through 0, where what is left is the error of its terms, which are at most 2 in size.
template <class Function>
void expect_derivative_close_to_f64(Function function) {
  for (float x = -90; x < 90; x += 0.0173F)
    EXPECT_NEAR(static_cast<double>(function(x)), function(static_cast<double>(x)), 2e-6) << x;
}

TEST(Activations, have_derivatives_that_follow_f64) {
  expect_derivative_close_to_f64([](auto x) { return silu_derivative(x); });
  expect_derivative_close_to_f64([](auto x) { return gelu_derivative(x); });
  expect_derivative_close_to_f64([](auto x) { return gelu_tanh_derivative(x); });
}

/// (f(x + h) - f(x - h)) / 2h is off by h^2 / 6 times the third derivative, of size up to 3, and by a rounding of f, of
/// size up to 9, over h.
TEST(Activations, have_the_derivatives_that_differences_show) {
  constexpr double kStep = 1e-4;
  const auto expect_slope = [](auto function, auto derivative) {
    for (double x = -9; x < 9; x += 0.173)
      EXPECT_NEAR(derivative(x), (function(x + kStep) - function(x - kStep)) / (2 * kStep),
                  kStep * kStep / 2 + 9 * 0x1p-52 / kStep)
          << x;
  };
  expect_slope([](double x) { return silu(x); }, [](double x) { return silu_derivative(x); });
  expect_slope([](double x) { return gelu(x); }, [](double x) { return gelu_derivative(x); });
  expect_slope([](double x) { return gelu_tanh(x); }, [](double x) { return gelu_tanh_derivative(x); });
}

TEST(Activations, have_derivatives_at_infinity) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr double kWideInfinity = std::numeric_limits<double>::infinity();
  const auto expect_limits = [](auto derivative) {
    EXPECT_NEAR(derivative(-kInfinity), 0, 1e-30);
    EXPECT_NEAR(derivative(kInfinity), 1, 1e-6);
    EXPECT_NEAR(derivative(-kWideInfinity), 0, 1e-100);
    EXPECT_NEAR(derivative(kWideInfinity), 1, 1e-14);
    EXPECT_TRUE(std::isnan(derivative(std::numeric_limits<float>::quiet_NaN())));
    EXPECT_TRUE(std::isnan(derivative(std::numeric_limits<double>::quiet_NaN())));
  };
  expect_limits([](auto x) { return silu_derivative(x); });
  expect_limits([](auto x) { return gelu_derivative(x); });
  expect_limits([](auto x) { return gelu_tanh_derivative(x); });
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
