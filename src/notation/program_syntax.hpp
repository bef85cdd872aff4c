#pragma once
// What the lines of a program say, with the places of their words, before names and types are looked at.

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "meshmul/dtype.hpp"
#include "meshmul/map_function.hpp"
#include "meshmul/mesh.hpp"
#include "notation/array_parser.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

/// `bf16 W[L=4, D, F]? = "layers.{l}.up"`
struct ParsedDeclaration {
  ParsedArray array;
  std::string tensor;  ///< without the quotes
};

/// `W` or `W[l]`
struct ParsedUse {
  Token name;
  std::optional<Token> variable;
};

struct ParsedFunction {
  MapFunction function = MapFunction::kAdd;
  Token token;
};

/// `X * W`, `gelu(X * W)` or `mul(S, V)`. A product has two operands; a function has as many as it reads.
struct ParsedExpression {
  bool is_product = false;
  std::optional<ParsedFunction> function;
  std::vector<ParsedUse> operands;
};

/// `H[B, F] = gelu(X * W) like Z`
struct ParsedAssignment {
  ParsedArray target;
  ParsedExpression expression;
  std::optional<Token> like;
};

/// `grad Y(dY) -> dX, dW`
struct ParsedGrad {
  Token of;
  Token cotangent;
  std::vector<Token> results;
};

/// `repeat L as l { … }`
struct ParsedRepeat {
  Token index;
  Token variable;
  std::vector<ParsedAssignment> body;
};

using ParsedItem = std::variant<ParsedDeclaration, ParsedAssignment, ParsedGrad, ParsedRepeat>;

/// Reads the name of a function, and the '(' behind it stays.
ParsedFunction parse_function(Tokens& tokens);

/// Fails unless `function` takes `found` arrays.
void check_num_operands(const Tokens& tokens, const ParsedFunction& function, std::size_t found);

/// Reads what stands to the right of '='.
ParsedExpression parse_expression(Tokens& tokens);

/// Reads all lines. A line that is a statement, `A[I_X, J] * B[J, K] -> C[I_X, K]`, becomes declarations of its inputs and
/// an assignment of its output. Every array has a name, and an index in every dimension. A missing dtype of a declared
/// array is that of the first array, else `default_dtype`.
std::vector<ParsedItem> parse_items(Tokens& tokens, const Mesh& mesh, Dtype default_dtype);

}  // namespace meshmul::notation
