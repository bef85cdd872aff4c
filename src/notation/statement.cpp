// Uniform access to the arrays of a statement, and the roles of the indices of a product.

#include "meshmul/statement.hpp"

#include <algorithm>

#include "dim_of.hpp"

namespace meshmul {
namespace {

// Both forms below serve a statement that is const and one that is not: pointers and references come out alike.

template <class AnyStatement>
auto inputs_of(AnyStatement& statement) {
  return std::visit(
      [](auto& kind) {
        if constexpr (requires { kind.from; })
          return std::vector{&kind.from};
        else
          return std::vector{&kind.a, &kind.b};
      },
      statement);
}

template <class AnyStatement>
auto& output_of(AnyStatement& statement) {
  return std::visit(
      [](auto& kind) -> auto& {
        if constexpr (requires { kind.to; })
          return kind.to;
        else
          return kind.c;
      },
      statement);
}

}  // namespace

std::vector<const ArrayType*> inputs(const Statement& statement) { return inputs_of(statement); }
std::vector<ArrayType*> inputs(Statement& statement) { return inputs_of(statement); }
const ArrayType& output(const Statement& statement) { return output_of(statement); }
ArrayType& output(Statement& statement) { return output_of(statement); }

IndexRoles index_roles(const Product& product) {
  IndexRoles roles;
  for (const Dim& dim : product.a.dims) {
    const bool in_b = has_index(product.b, dim.index);
    const bool in_c = has_index(product.c, dim.index);
    (in_b && in_c ? roles.batch : in_c ? roles.left : roles.contracted).push_back(dim.index);
  }
  for (const Dim& dim : product.b.dims)
    if (!has_index(product.a, dim.index)) roles.right.push_back(dim.index);
  return roles;
}

}  // namespace meshmul
