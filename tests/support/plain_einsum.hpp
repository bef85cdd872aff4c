#pragma once
// The result of a statement from the definition: loops over all indices, in whole numbers.

#include <cstdint>
#include <vector>

#include "meshmul/statement.hpp"

namespace meshmul::testing {

/// Row-major whole numbers.
struct Integers {
  Shape shape;
  std::vector<std::int64_t> values;
};

/// The output of `statement` for complete inputs.
Integers plain_einsum(const Statement& statement, const std::vector<Integers>& inputs);

}  // namespace meshmul::testing
