#pragma once
// Which indices the arrays of a statement may have.

#include "notation/array_parser.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

/// Every dimension of a product has an index; an index of one input alone is in the output; an index of the output is
/// in an input.
void check_product_indices(const Tokens& tokens, const ParsedArray& a, const ParsedArray& b, const ParsedArray& c);

/// Both sides have the same indices, in any order. Dimensions that have a size alone on both sides are matched by
/// position and get the first indices from I on that are free.
void match_reshard_indices(const Tokens& tokens, ParsedArray& from, ParsedArray& to);

}  // namespace meshmul::notation
