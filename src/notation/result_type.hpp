#pragma once
// What an assignment makes of its operands: dtype, dimensions, and the sharding as far as it is written.

#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/program.hpp"
#include "notation/program_syntax.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

/// An operand whose name has been looked up.
struct Operand {
  Use use;
  ArrayType type;  ///< of what is used: without the first dimension if it is sliced
  Token token;
};

/// The type of the result; its sharding is open if no dimensions are written. `assignment.like` is not looked at. Throws
/// Error(kInvalidArgument) with the place of what does not fit.
ArrayType result_type(const Tokens& tokens, const ParsedAssignment& assignment, const std::vector<Operand>& operands);

/// `W[D, F]`: name and indices alone.
std::string indices_text(const ArrayType& type);

bool same_indices(const ArrayType& a, const ArrayType& b);

}  // namespace meshmul::notation
