#pragma once
// The nonlinear elementwise functions. In f64 they are made of the standard library's; in f32 they are written without
// branches and calls, so that loops over them become vector code. Their relative error is a few units of f32 times the
// size of the exponent that they compute: 1e-6 for |x| up to 5, 2e-5 where the result is about to vanish.

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace meshmul {

/// e^x, for x clamped to [-87, 88]: those whose results are normal and finite. NaN stays NaN.
///   x = n ln 2 + r with |r| <= ln(2) / 2; e^x = 2^n e^r, e^r by its Taylor polynomial of degree 7 (error 3e-9).
[[gnu::always_inline]] inline float fast_exp(float x) {
  const float below = x > 88.0F ? 88.0F : x;  // one comparison a statement: vector code needs all of them anyway
  const float clamped = below < -87.0F ? -87.0F : below;
  // Adding 1.5 * 2^23 rounds to an integer, which is then the low bits of the sum.
  constexpr float kRound = 0x1.8p23F;
  const float shifted = clamped * std::numbers::log2e_v<float> + kRound;
  const float n = shifted - kRound;
  // ln 2 in two parts, of which the first has so few bits that its product with n is exact.
  const float r = (clamped - n * 0x1.62ep-1F) - n * 0x1.0bfbe8p-15F;
  const float power =
      1 +
      r * (1 + r * (1 / 2.0F + r * (1 / 6.0F + r * (1 / 24.0F + r * (1 / 120.0F + r * (1 / 720.0F + r / 5040.0F))))));
  const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(shifted) + 127U) << 23U;
  return power * std::bit_cast<float>(exponent);
}

/// 1 - erf(z) for z >= 0, by the fit of Press et al., Numerical Recipes, 6.2 (relative error 1.2e-7).
[[gnu::always_inline]] inline float fast_erfc(float z) {
  const float t = 1 / (1 + z / 2);
  const float fit =
      -1.26551223F +
      t * (1.00002368F +
           t * (0.37409196F +
                t * (0.09678418F +
                     t * (-0.18628806F +
                          t * (0.27886807F +
                               t * (-1.13520398F + t * (1.48851587F + t * (-0.82215223F + t * 0.17087277F))))))));
  return t * fast_exp(fit - z * z);
}

/// x * P(X <= x) for a standard normal X (Hendrycks and Gimpel 2016, the exact form).
[[gnu::always_inline]] inline float gelu(float x) {
  const float tail = fast_erfc(std::fabs(x) * (std::numbers::sqrt2_v<float> / 2)) / 2;
  const float body = 1 - tail;
  return x * (x < 0 ? tail : body);
}
inline double gelu(double x) { return x * (std::erfc(-x * (std::numbers::sqrt2 / 2)) / 2); }

[[gnu::always_inline]] inline float silu(float x) { return x / (1 + fast_exp(-x)); }
inline double silu(double x) { return x / (1 + std::exp(-x)); }

/// The form of the same paper with tanh, by (1 + tanh u) / 2 = 1 / (1 + e^(-2u)).
template <class T>
[[gnu::always_inline]] inline T gelu_tanh_argument(T x) {
  constexpr T kSqrt8OverPi = 2 * std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
  return kSqrt8OverPi * (x + T(0.044715) * x * x * x);
}
[[gnu::always_inline]] inline float gelu_tanh(float x) { return x / (1 + fast_exp(-gelu_tanh_argument(x))); }
inline double gelu_tanh(double x) { return x / (1 + std::exp(-gelu_tanh_argument(x))); }

/// Derivatives. With P and p, the distribution and density of a standard normal, that of gelu is P(x) + x p(x).
[[gnu::always_inline]] inline float gelu_derivative(float x) {
  const float tail = fast_erfc(std::fabs(x) * (std::numbers::sqrt2_v<float> / 2)) / 2;
  const float body = 1 - tail;
  constexpr float kDensityAt0 = std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;
  // So far out e^(-x^2 / 2) is as good as 0, and an infinite x would make a NaN of it.
  const float near = std::fabs(x) > 13 ? 13.0F : x;
  return (x < 0 ? tail : body) + near * kDensityAt0 * fast_exp(-near * near / 2);
}
inline double gelu_derivative(double x) {
  const double near = std::fabs(x) > 39 ? 39 : x;
  return std::erfc(-x * (std::numbers::sqrt2 / 2)) / 2 +
         near * (std::numbers::inv_sqrtpi / std::numbers::sqrt2) * std::exp(-near * near / 2);
}

/// Of x s(u(x)) with s the sigmoid: s + x s (1 - s) u', where `slope` is u' and `decay` is e^(-u), so that 1 - s is
/// decay * s.
template <class T>
[[gnu::always_inline]] inline T sigmoid_derivative(T x, T slope, T decay) {
  const T s = 1 / (1 + decay);
  return s + x * slope * (s * (decay * s));
}
[[gnu::always_inline]] inline float silu_derivative(float x) {
  const float below = x > 88.0F ? 88.0F : x;
  const float near = below < -88.0F ? -88.0F : below;
  return sigmoid_derivative(near, 1.0F, fast_exp(-near));
}
inline double silu_derivative(double x) {
  const double near = x < -700 ? -700 : x > 700 ? 700 : x;
  return sigmoid_derivative(near, 1.0, std::exp(-near));
}

template <class T>
[[gnu::always_inline]] inline T gelu_tanh_slope(T x) {
  constexpr T kSqrt8OverPi = 2 * std::numbers::sqrt2_v<T> * std::numbers::inv_sqrtpi_v<T>;
  return kSqrt8OverPi * (1 + T(3 * 0.044715) * x * x);
}
/// Beyond 13 the sigmoid is 0 or 1 to all digits.
[[gnu::always_inline]] inline float gelu_tanh_derivative(float x) {
  const float below = x > 13.0F ? 13.0F : x;
  const float near = below < -13.0F ? -13.0F : below;
  return sigmoid_derivative(near, gelu_tanh_slope(near), fast_exp(-gelu_tanh_argument(near)));
}
inline double gelu_tanh_derivative(double x) {
  const double near = x < -20 ? -20 : x > 20 ? 20 : x;
  return sigmoid_derivative(near, gelu_tanh_slope(near), std::exp(-gelu_tanh_argument(near)));
}

}  // namespace meshmul
