#pragma once
// The einsum of a gemm op, `bij,bjk->bik`: one letter a dimension of a, b and c.

#include <string>
#include <string_view>

namespace meshmul {

/// The letters of each operand. A letter stands at most once per operand; every letter of c is in a or b; a letter of
/// one input alone is in c.
struct Einsum {
  std::string a, b, c;

  std::string str() const { return a + "," + b + "->" + c; }
  bool operator==(const Einsum&) const = default;
};

/// Throws Error(kInvalidArgument) with the place if `text` is not such an einsum.
Einsum parse_einsum(std::string_view text);

}  // namespace meshmul
