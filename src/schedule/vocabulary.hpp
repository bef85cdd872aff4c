#pragma once
// The words of the text form that stand for ops: one table, which printer and parser share.

#include <array>
#include <string_view>
#include <variant>

#include "meshmul/schedule.hpp"

namespace meshmul {

/// The mnemonic of each op, in the order of the alternatives of Op.
inline constexpr auto kMnemonics =
    std::to_array<std::string_view>({"put", "get", "signal", "wait", "copy", "reduce", "gemm", "map"});
static_assert(kMnemonics.size() == std::variant_size_v<Op>, "every op has one mnemonic");

}  // namespace meshmul
