#pragma once
// In which dtypes partial sums can travel.

#include <optional>

#include "meshmul/statement.hpp"

namespace meshmul {

/// Partial sums come from products, so they have the dtype that these return or the one that they add in. Throws
/// Error(kInvalidArgument) if the product of the statement can make none of `wire_dtype`. plan() of a statement prices
/// any; what is to be lowered has to pass this.
void check_wire_dtype(const Statement& statement, std::optional<Dtype> wire_dtype);

}  // namespace meshmul
