#pragma once
// What a contract is made of: statements, and elementwise functions of arrays that statements made.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {

/// `H[B, F] = gelu(Z[B, F])`. As in a program: all sources have the indices of the result in its order, but the second
/// source of bias and scale has at most one of them, and what convert makes may have another order and another dtype.
struct Elementwise {
  MapFunction function = MapFunction::kConvert;
  std::vector<ArrayType> sources;
  ArrayType result;
  bool operator==(const Elementwise&) const = default;
};

/// One line of a contract.
struct ContractStatement {
  ContractStatement(Statement statement) : form(std::move(statement)) {}
  ContractStatement(Elementwise elementwise) : form(std::move(elementwise)) {}

  std::variant<Statement, Elementwise> form;
  bool operator==(const ContractStatement&) const = default;
};

/// Reads a statement as `parse_statement` does, or `f32 H[B=8_X, F=6] = gelu(f32 Z[B=8_X, F=6])`. Every array of a
/// function has a name and its dimensions have indices. A dtype that is missing is that of the first source, else f32.
/// Throws Error(kInvalidArgument) with the place of what is wrong.
ContractStatement parse_contract_statement(std::string_view text, const Mesh& mesh);

/// The text that `parse_contract_statement` reads back.
std::string to_string(const ContractStatement& statement, const Mesh& mesh);

/// The input arrays in order, and the output.
std::vector<const ArrayType*> inputs(const ContractStatement& statement);
const ArrayType& output(const ContractStatement& statement);

/// As of a Statement.
void check_sizes(const ContractStatement& statement);

}  // namespace meshmul
