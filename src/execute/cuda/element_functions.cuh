#pragma once
// The elementwise functions on the device. One source for maps over arrays and for what follows a product in its kernel,
// so that both give the same bits.

#include <cstdint>
#include <type_traits>

#include "meshmul/map_function.hpp"

namespace meshmul::cuda {

template <class T>
__device__ inline T density(T x) {
  constexpr T kInverseSqrt2Pi = static_cast<T>(0.39894228040143267794);
  return kInverseSqrt2Pi * exp(-x * x / 2);
}
template <class T>
__device__ inline T distribution(T x) {
  constexpr T kSqrtHalf = static_cast<T>(0.70710678118654752440);
  return erfc(-x * kSqrtHalf) / 2;
}
/// 1 / x; of floats within a unit of the last digit, without the branches that exact rounding takes.
template <class T>
__device__ inline T reciprocal(T x) {
  if constexpr (std::is_same_v<T, float>) {
    float result;
    asm("rcp.approx.f32 %0, %1;" : "=f"(result) : "f"(x));
    return result;
  } else {
    return 1 / x;
  }
}
template <class T>
__device__ inline T sigmoid(T u) {
  return reciprocal(1 + exp(-u));
}
/// gelu_tanh(x) = x sigmoid(u(x)).
template <class T>
__device__ inline T gelu_tanh_argument(T x) {
  constexpr T kSqrt8OverPi = static_cast<T>(1.59576912160573071176);
  return kSqrt8OverPi * (x + static_cast<T>(0.044715) * x * x * x);
}
template <class T>
__device__ inline T gelu_tanh_slope(T x) {
  constexpr T kSqrt8OverPi = static_cast<T>(1.59576912160573071176);
  return kSqrt8OverPi * (1 + static_cast<T>(3 * 0.044715) * x * x);
}
/// The derivative of x sigmoid(u(x)), where `slope` is that of u. Where x is so large that the sigmoid is 0 or 1 to all
/// digits, `near` is a bound of it.
template <class T>
__device__ inline T gated_derivative(T near, T u, T slope) {
  const T s = sigmoid(u);
  return s + near * slope * (s * sigmoid(-u));
}
template <class T>
__device__ inline T within(T x, T bound) {
  return x < -bound ? -bound : x > bound ? bound : x;
}

template <class T>
__device__ inline T nonlinear(MapFunction function, T x, T y) {
  constexpr bool kDouble = std::is_same_v<T, double>;
  switch (function) {
    case MapFunction::kGelu: return x * distribution(x);
    case MapFunction::kGeluTanh: return x * sigmoid(gelu_tanh_argument(x));
    case MapFunction::kSilu: return x * sigmoid(x);
    case MapFunction::kGeluGrad: {
      const T near = within(x, static_cast<T>(kDouble ? 39 : 13));
      return (distribution(x) + near * density(near)) * y;
    }
    case MapFunction::kGeluTanhGrad: {
      const T near = within(x, static_cast<T>(kDouble ? 20 : 13));
      return gated_derivative(near, gelu_tanh_argument(near), gelu_tanh_slope(near)) * y;
    }
    case MapFunction::kSiluGrad: {
      const T near = within(x, static_cast<T>(kDouble ? 700 : 88));
      return gated_derivative(near, near, T{1}) * y;
    }
    default: return x;
  }
}

template <class Sum>
__device__ inline Sum add(Sum a, Sum b) {
  if constexpr (std::is_integral_v<Sum>)
    return static_cast<Sum>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  else
    return a + b;
}
template <class Sum>
__device__ inline Sum multiply(Sum a, Sum b) {
  if constexpr (std::is_integral_v<Sum>)
    return static_cast<Sum>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
  else
    return a * b;
}

/// function(x, y); functions of one array leave y alone.
template <class Sum>
__device__ inline Sum mapped(MapFunction function, Sum x, Sum y) {
  switch (function) {
    case MapFunction::kZero: return Sum{0};
    case MapFunction::kOne: return Sum{1};
    case MapFunction::kRelu: return x < Sum{0} ? Sum{0} : x;
    case MapFunction::kReluGrad: return x > Sum{0} ? y : Sum{0};
    case MapFunction::kAdd:
    case MapFunction::kBias: return add(x, y);
    case MapFunction::kMul:
    case MapFunction::kScale: return multiply(x, y);
    case MapFunction::kConvert: return x;
    case MapFunction::kGelu:
    case MapFunction::kGeluTanh:
    case MapFunction::kSilu:
    case MapFunction::kGeluGrad:
    case MapFunction::kGeluTanhGrad:
    case MapFunction::kSiluGrad:
      if constexpr (std::is_integral_v<Sum>)
        return static_cast<Sum>(nonlinear(function, static_cast<double>(x), static_cast<double>(y)));
      else
        return nonlinear(function, x, y);
  }
  return x;
}

}  // namespace meshmul::cuda
