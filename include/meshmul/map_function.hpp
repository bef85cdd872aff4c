#pragma once
// The elementwise functions that a program may name and a schedule may run.

#include <cstdint>
#include <optional>
#include <string_view>

namespace meshmul {

enum class MapFunction : std::uint8_t {
  kZero,      ///< zeros, whatever was there
  kOne,       ///< ones: their product with an array is a sum over indices
  kGelu,      ///< x / 2 * (1 + erf(x / sqrt(2)))
  kGeluTanh,  ///< x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3)))
  kSilu,      ///< x / (1 + exp(-x))
  kRelu,      ///< max(x, 0); NaN stays

  // Gradients: the derivative of a function at x, times y, the gradient with respect to its result.
  kGeluGrad,
  kGeluTanhGrad,
  kSiluGrad,
  kReluGrad,  ///< y where x > 0, else 0: relu(x) may stand for x

  kAdd,      ///< x + y
  kMul,      ///< x * y
  kBias,     ///< x + y, where y is added to many x
  kScale,    ///< x * y, where y multiplies many x
  kConvert,  ///< x, rounded once to the dtype of the result
};

inline constexpr MapFunction kAllMapFunctions[] = {
    MapFunction::kZero,     MapFunction::kOne,      MapFunction::kGelu,     MapFunction::kGeluTanh,
    MapFunction::kSilu,     MapFunction::kRelu,     MapFunction::kGeluGrad, MapFunction::kGeluTanhGrad,
    MapFunction::kSiluGrad, MapFunction::kReluGrad, MapFunction::kAdd,      MapFunction::kMul,
    MapFunction::kBias,     MapFunction::kScale,    MapFunction::kConvert};

/// zero, one, gelu, gelu_tanh, silu, relu, gelu_grad, gelu_tanh_grad, silu_grad, relu_grad, add, mul, bias, scale,
/// convert.
std::string_view name(MapFunction function);

/// Nothing if no function has that name.
std::optional<MapFunction> parse_map_function(std::string_view text);

/// How many arrays it reads: none for kZero and kOne; two for gradients, kAdd, kMul, kBias and kScale; else one.
int num_sources(MapFunction function);

/// The gradient of a nonlinear function of one array. Nothing for all others.
std::optional<MapFunction> gradient_of(MapFunction function);

}  // namespace meshmul
