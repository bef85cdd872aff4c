#pragma once
// Fills in what the text of a statement leaves out (names, dtypes, sizes) and refuses what contradicts itself.

#include <vector>

#include "notation/array_parser.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

/// Missing names become the first of A, B, C that no other array has. The three names must differ.
void complete_product_names(const Tokens& tokens, ParsedArray& a, ParsedArray& b, ParsedArray& c);

/// Both sides have one name: a missing one is the other's, and A where both are.
void complete_reshard_names(const Tokens& tokens, ParsedArray& from, ParsedArray& to);

/// A missing dtype of an input is that of the first array, which is f32 unless written; that of the output is what a
/// product returns. A dtype that is written must be the same.
void complete_product_dtypes(const Tokens& tokens, const ParsedArray& a, ParsedArray& b, ParsedArray& c);

/// The right side has the dtype of the left.
void complete_reshard_dtypes(const Tokens& tokens, const ParsedArray& from, ParsedArray& to);

/// A size written anywhere holds for every occurrence of its index in all of `arrays`.
void complete_sizes(const Tokens& tokens, const std::vector<ParsedArray*>& arrays);

}  // namespace meshmul::notation
