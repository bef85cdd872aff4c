#pragma once
// The arrays of a statement whose sharding is left to the planner, and what was made of them.

#include <string>
#include <vector>

#include "meshmul/statement.hpp"

namespace meshmul {

/// The inputs in order, then the output.
std::vector<const ArrayType*> arrays_of(const Statement& statement);

bool has_open_array(const Statement& statement);

/// `A[I_X, J], C[I, K_X]`: how `closed` cuts the arrays that are open in `open`; empty if none is.
std::string open_arrays_in_short(const Statement& closed, const Statement& open, const Mesh& mesh);

}  // namespace meshmul
