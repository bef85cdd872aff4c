#pragma once
// An einsum equation and the types of two arrays become a product statement.

#include <optional>
#include <string_view>

#include "meshmul/statement.hpp"
#include "meshmul/world.hpp"

namespace meshmul {

/// `BD,DF->BF` with arrays of two and two dimensions. The output is left to the planner if no sharding is given.
/// Throws Error(kInvalidArgument) with the place if the equation is malformed or does not fit the arrays.
Product product_of(std::string_view equation, const ArrayType& a, const ArrayType& b, const std::optional<P>& output,
                   const Mesh& mesh);

/// A statement about one array: it is called A, and its dimensions I0, I1, … by position.
ArrayType with_index_names(ArrayType type);

}  // namespace meshmul
