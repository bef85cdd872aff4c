#pragma once
// The one move that a step of a way is.

#include <optional>

#include "meshmul/statement.hpp"
#include "plan/moves.hpp"

namespace meshmul {

/// The single move from `from` to `to`, whose dimensions may be in another order; a kSlice along no axes, which copies, if
/// they are cut alike. Nothing if one move does not lead there.
std::optional<Transition> single_move(const ArrayType& from, const ArrayType& to, const AxisNumbering& axes);

}  // namespace meshmul
