#pragma once
// What tests of the check share: statements with random inputs, and outputs that are computed as a device would.

#include <map>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"
#include "meshmul/check.hpp"
#include "meshmul/random.hpp"

namespace meshmul {

/// A statement with its arrays.
struct Computed {
  Statement statement;
  std::vector<HostArray> inputs;
  HostArray output;
};

/// The einsum of a product, a letter for each index.
inline Einsum einsum_of(const Product& product) {
  std::map<std::string, char> letters;
  const auto spell = [&](const ArrayType& type) {
    std::string text;
    for (const Dim& dim : type.dims)
      text += letters.try_emplace(dim.index, static_cast<char>('a' + letters.size())).first->second;
    return text;
  };
  const std::string a = spell(product.a);
  const std::string b = spell(product.b);
  return {a, b, spell(product.c)};
}

/// The product by the reference kernels: sums in index order in the accumulator, one rounding at the end.
inline HostArray multiply(const Product& product, const HostArray& a, const HostArray& b) {
  HostArray c(product.c.dtype, global_shape(product.c));
  make_local_products("reference")->gemm(c.view(), a.view(), b.view(), einsum_of(product), false);
  return c;
}

/// `text` with random inputs, computed rightly.
inline Computed computed(const std::string& text, const RandomValues& values = {.seed = 1}) {
  Computed result{parse_statement(text, Mesh()), {}, {}};
  const auto& product = std::get<Product>(result.statement);
  for (const ArrayType* const type : inputs(result.statement)) {
    RandomValues own = values;
    own.seed = seed_for(values.seed, type->name);
    result.inputs.push_back(random_array(type->dtype, global_shape(*type), own));
  }
  result.output = multiply(product, result.inputs[0], result.inputs[1]);
  return result;
}

}  // namespace meshmul
