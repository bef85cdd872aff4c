#pragma once
// The elementwise functions that a program may name and a schedule may run.

#include <cstdint>
#include <optional>
#include <string_view>

namespace meshmul {

enum class MapFunction : std::uint8_t {
  kZero,      ///< zeros, whatever was there: schedules alone have it
  kGelu,      ///< x / 2 * (1 + erf(x / sqrt(2)))
  kGeluTanh,  ///< x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
  kSilu,      ///< x / (1 + exp(-x))
  kRelu,      ///< max(x, 0); NaN stays
  kAdd,       ///< x + y
  kMul,       ///< x * y
  kBias,      ///< x + y, where y is added to many x
  kScale,     ///< x * y, where y multiplies many x
  kConvert,   ///< x, rounded once to the dtype of the result
};

inline constexpr MapFunction kAllMapFunctions[] = {
    MapFunction::kZero, MapFunction::kGelu, MapFunction::kGeluTanh, MapFunction::kSilu,  MapFunction::kRelu,
    MapFunction::kAdd,  MapFunction::kMul,  MapFunction::kBias,     MapFunction::kScale, MapFunction::kConvert};

/// zero, gelu, gelu_tanh, silu, relu, add, mul, bias, scale, convert.
std::string_view name(MapFunction function);

/// Nothing if no function has that name.
std::optional<MapFunction> parse_map_function(std::string_view text);

/// How many arrays it reads: none for kZero, two for kAdd, kMul, kBias and kScale, else one.
int num_sources(MapFunction function);

}  // namespace meshmul
