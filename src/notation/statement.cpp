// Uniform access to the arrays of a statement, and the roles of the indices of a product.

#include "meshmul/statement.hpp"

#include <algorithm>
#include <utility>

namespace meshmul {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

bool has_index(const ArrayType& type, const std::string& index) {
  return std::any_of(type.dims.begin(), type.dims.end(), [&](const Dim& dim) { return dim.index == index; });
}

}  // namespace

std::vector<const ArrayType*> inputs(const Statement& statement) {
  using Inputs = std::vector<const ArrayType*>;
  return std::visit(Overloaded{
                        [](const Product& product) { return Inputs{&product.a, &product.b}; },
                        [](const Reshard& reshard) { return Inputs{&reshard.from}; },
                        [](const Collective& collective) { return Inputs{&collective.from}; },
                    },
                    statement);
}

std::vector<ArrayType*> inputs(Statement& statement) {
  using Inputs = std::vector<ArrayType*>;
  return std::visit(Overloaded{
                        [](Product& product) { return Inputs{&product.a, &product.b}; },
                        [](Reshard& reshard) { return Inputs{&reshard.from}; },
                        [](Collective& collective) { return Inputs{&collective.from}; },
                    },
                    statement);
}

const ArrayType& output(const Statement& statement) {
  return std::visit(Overloaded{
                        [](const Product& product) -> const ArrayType& { return product.c; },
                        [](const Reshard& reshard) -> const ArrayType& { return reshard.to; },
                        [](const Collective& collective) -> const ArrayType& { return collective.to; },
                    },
                    statement);
}

ArrayType& output(Statement& statement) { return const_cast<ArrayType&>(output(std::as_const(statement))); }

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
