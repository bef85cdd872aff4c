#pragma once
// Which values of a program are read, and which depend on which.

#include <vector>

#include "meshmul/program.hpp"

namespace meshmul::notation {

/// By value: whether a statement or the start of a loop reads it. That the end of a pass is the beginning of the next
/// does not count, nor does the array that a grad statement is about.
std::vector<bool> read_values(const Program& program);

/// By value: whether `of` is it or is computed from it, over the passes of loops too.
std::vector<bool> origins(const Program& program, ValueId of);

}  // namespace meshmul::notation
