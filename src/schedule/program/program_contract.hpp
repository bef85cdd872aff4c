#pragma once
// What a written-out program claims to do, as the statements of a contract.

#include <vector>

#include "meshmul/contract_statement.hpp"
#include "straight_line.hpp"

namespace meshmul {

/// One or more statements a line, in order: `gelu(X * W)` is a product and a function of it.
std::vector<ContractStatement> contract_statements(const StraightLine& line, const Program& program);

}  // namespace meshmul
