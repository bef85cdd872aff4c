#pragma once
// The words of the text form that stand for ops and functions: one table, which printer and parser share.

#include <array>
#include <string_view>
#include <variant>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// The mnemonic of each op, in the order of the alternatives of Op.
inline constexpr auto kMnemonics =
    std::to_array<std::string_view>({"put", "get", "signal", "wait", "copy", "reduce", "gemm", "map"});
static_assert(kMnemonics.size() == std::variant_size_v<Op>, "every op has one mnemonic");

struct MapFunctionWord {
  std::string_view name;
  MapFunction function;
  int num_sources;
};

/// The functions of `map`, in the order of MapFunction.
inline constexpr auto kMapFunctions = std::to_array<MapFunctionWord>({
    {"zero", MapFunction::kZero, 0},
    {"gelu", MapFunction::kGelu, 1},
    {"gelu_tanh", MapFunction::kGeluTanh, 1},
    {"silu", MapFunction::kSilu, 1},
    {"relu", MapFunction::kRelu, 1},
    {"add", MapFunction::kAdd, 2},
    {"mul", MapFunction::kMul, 2},
    {"bias", MapFunction::kBias, 2},
    {"scale", MapFunction::kScale, 2},
    {"convert", MapFunction::kConvert, 1},
});

}  // namespace meshmul
