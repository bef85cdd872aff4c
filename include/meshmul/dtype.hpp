#pragma once
// Element types: their size, their names, and what a product of them accumulates in and returns.

#include <cstdint>
#include <optional>
#include <string_view>

namespace meshmul {

enum class Dtype : std::uint8_t { kF64, kF32, kBf16, kF16, kF8e4m3, kI8, kI32 };

inline constexpr Dtype kAllDtypes[] = {Dtype::kF64,    Dtype::kF32, Dtype::kBf16, Dtype::kF16,
                                       Dtype::kF8e4m3, Dtype::kI8,  Dtype::kI32};

/// The public spelling: `world.random(dtype::bf16, …)`.
namespace dtype {
inline constexpr Dtype f64 = Dtype::kF64;
inline constexpr Dtype f32 = Dtype::kF32;
inline constexpr Dtype bf16 = Dtype::kBf16;
inline constexpr Dtype f16 = Dtype::kF16;
inline constexpr Dtype f8e4m3 = Dtype::kF8e4m3;
inline constexpr Dtype i8 = Dtype::kI8;
inline constexpr Dtype i32 = Dtype::kI32;
}  // namespace dtype

/// Bytes of one element.
std::int64_t size_bytes(Dtype dtype);

/// The canonical name: f64, f32, bf16, f16, f8e4m3, i8, i32.
std::string_view name(Dtype dtype);

/// The canonical name or an alias (fp32, float32, bfloat16, half, int8, fp8, …); nothing if it is neither.
std::optional<Dtype> parse_dtype(std::string_view text);

/// What sums of `dtype` are added in: f64 for f64, i32 for i8 and i32, f32 for every other float.
Dtype accumulator_of(Dtype dtype);

/// What a product of two arrays of `dtype` returns: i8 gives i32, f8e4m3 gives bf16, the others themselves.
Dtype product_dtype(Dtype dtype);

}  // namespace meshmul
