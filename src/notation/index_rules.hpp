#pragma once
// Which indices the arrays of a statement may have.

#include <optional>
#include <string>

#include "meshmul/array_type.hpp"
#include "notation/array_parser.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

bool has_index(const ArrayType& type, const std::string& index);

/// Why an index of one of three arrays does not fit a product.
struct ProductFault {
  const ArrayType* array = nullptr;  ///< a, b or c
  int dim = 0;
  std::string sentence;
};

/// Nothing if a * b -> c is a product: an index of one input alone is in the output; an index of the output is in an
/// input. Every dimension has an index.
std::optional<ProductFault> product_fault(const ArrayType& a, const ArrayType& b, const ArrayType& c);

/// Every dimension has an index.
void check_all_named(const Tokens& tokens, const ParsedArray& array);

/// Every dimension has an index, and `product_fault` finds nothing.
void check_product_indices(const Tokens& tokens, const ParsedArray& a, const ParsedArray& b, const ParsedArray& c);

/// Both sides have the same indices, in any order. Dimensions that have a size alone on both sides are matched by
/// position and get the first indices from I on that are free.
void match_reshard_indices(const Tokens& tokens, ParsedArray& from, ParsedArray& to);

}  // namespace meshmul::notation
