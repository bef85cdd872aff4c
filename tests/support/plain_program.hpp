#pragma once
// What a program returns, from the definition: statement after statement, pass after pass, in whole numbers.

#include <map>
#include <vector>

#include "meshmul/program.hpp"
#include "support/plain_einsum.hpp"

namespace meshmul::testing {

/// The outputs of `program`, as `outputs(program)`, for its given arrays. Functions of whole numbers: relu, add, mul, bias,
/// scale and convert.
std::vector<Integers> plain_outputs(const Program& program, std::map<ValueId, Integers> given);

}  // namespace meshmul::testing
