#pragma once
// The C++ type of an element of each dtype, with exact widening and one rounding (to nearest, ties to even) back.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "meshmul/dtype.hpp"

namespace meshmul {

/// The upper half of an f32. NaN stays NaN.
struct Bf16 {
  std::uint16_t bits = 0;

  Bf16() = default;
  explicit Bf16(float value) {
    const auto wide = std::bit_cast<std::uint32_t>(value);
    bits = std::isnan(value) ? static_cast<std::uint16_t>((wide >> 16U) | 0x40U)
                             : static_cast<std::uint16_t>((wide + 0x7FFFU + ((wide >> 16U) & 1U)) >> 16U);
  }
  explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); }
};

/// IEEE binary16.
struct F16 {
  std::uint16_t bits = 0;

  F16() = default;
  explicit F16(float value) : bits(std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))) {}
  explicit operator float() const { return static_cast<float>(std::bit_cast<_Float16>(bits)); }
};

/// OCP 8-bit E4M3 in the form without infinities: largest finite 448, NaN is 0x7F or 0xFF. A value that rounds to more
/// than 448, and infinity, become NaN, as in ml_dtypes and PyTorch.
struct F8e4m3 {
  std::uint8_t bits = 0;

  F8e4m3() = default;
  explicit F8e4m3(float value) {
    const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
    const float magnitude = std::fabs(value);
    if (!(magnitude < 464.0F) && magnitude != 464.0F) {  // also NaN; 464 is the tie between 448 and NaN, 448 is even
      bits = static_cast<std::uint8_t>(sign | 0x7FU);
      return;
    }
    // Spacing of the grid at this magnitude: 2^-9 below 2^-6 (subnormals), else 2^(exponent - 3).
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [0.5, 1)
    const int unit = magnitude < 0x1p-6F ? -9 : exponent - 4;
    const auto steps = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, -unit)));
    // A carry out of the mantissa moves to the next exponent by itself.
    const unsigned code = magnitude < 0x1p-6F ? steps : (static_cast<unsigned>(unit + 9) << 3U) + steps;
    bits = static_cast<std::uint8_t>(sign | code);
  }
  explicit operator float() const {
    const unsigned code = bits & 0x7FU;
    if (code == 0x7FU) return std::numeric_limits<float>::quiet_NaN();
    const unsigned exponent = code >> 3U;
    const auto mantissa = static_cast<float>(code & 7U);
    const float magnitude =
        exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8.0F + mantissa, static_cast<int>(exponent) - 10);
    return (bits & 0x80U) != 0 ? -magnitude : magnitude;
  }
};

static_assert(sizeof(Bf16) == 2 && sizeof(F16) == 2 && sizeof(F8e4m3) == 1);

/// Exact for every element type but i64-sized integers, of which there are none.
template <class T>
double to_double(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value));
}

/// One rounding. 16- and 8-bit floats are rounded from f32, which is how their sums are held.
template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, From>)
    return value;
  else if constexpr (std::is_arithmetic_v<To> && std::is_arithmetic_v<From>)
    return static_cast<To>(value);
  else if constexpr (std::is_arithmetic_v<To>)
    return static_cast<To>(static_cast<float>(value));
  else
    return To(convert<float>(value));
}

/// Calls `f.template operator()<T>()` with the element type of `dtype`.
template <class F>
decltype(auto) with_element_type(Dtype dtype, F&& f) {
  switch (dtype) {
    case Dtype::kF64: return f.template operator()<double>();
    case Dtype::kF32: return f.template operator()<float>();
    case Dtype::kBf16: return f.template operator()<Bf16>();
    case Dtype::kF16: return f.template operator()<F16>();
    case Dtype::kF8e4m3: return f.template operator()<F8e4m3>();
    case Dtype::kI8: return f.template operator()<std::int8_t>();
    case Dtype::kI32: return f.template operator()<std::int32_t>();
  }
  __builtin_unreachable();
}

/// The element type that sums of T are added in.
template <class T>
using Accumulator = std::conditional_t<std::is_same_v<T, double>, double,
                                       std::conditional_t<std::is_integral_v<T>, std::int32_t, float>>;

}  // namespace meshmul
