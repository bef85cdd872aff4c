#pragma once
// Random legal statements, and smaller versions of one for the search of the smallest that still fails.

#include <cstdint>
#include <random>
#include <vector>

#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"

namespace meshmul::testing {

struct MeshStatement {
  Mesh mesh;
  Statement statement;
};

/// 1 to 3 mesh axes and up to 16 ranks; products (batch, several and no contracted indices), sharding changes with and
/// without transposition, collectives; every dtype; partial sums on inputs and outputs; sizes from 0 to 13. Small
/// enough in k and in the number of partial terms that values of -1, 0 and 1 stay exact in every dtype and in every
/// order.
MeshStatement random_statement(std::mt19937_64& random);

/// Statements that are smaller in one respect: a shorter dimension, a smaller axis, less sharding, a simpler dtype.
std::vector<MeshStatement> smaller(const MeshStatement& original);

/// Most terms that any value on the way to the output can be a sum of.
std::int64_t most_terms(const MeshStatement& s);

}  // namespace meshmul::testing
