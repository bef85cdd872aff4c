#pragma once
// Reads one array, and remembers where its parts stand for the checks that need more than one array.

#include <optional>
#include <vector>

#include "meshmul/array_type.hpp"
#include "meshmul/mesh.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

struct DimPlace {
  Token start;                ///< the index, or the size of a dimension without one
  std::optional<Token> size;  ///< where a size is written
};

/// A missing name is empty; a missing dtype is f32 until the statement knows better.
struct ParsedArray {
  ArrayType type;
  Token start;
  std::optional<Token> dtype;
  std::optional<Token> name;
  std::vector<DimPlace> dims;
  bool has_dims = true;  ///< false if no brackets are written
};

/// `[dtype] [NAME] '[' dim {',' dim} ']' [ '{U_' axes '}' ] [ '?' ]`. `[]` is a scalar. A single word in front of the
/// bracket is a dtype if it can be, else a name.
ParsedArray parse_array(Tokens& tokens, const Mesh& mesh);

/// An array, or the name of one, `H` or `bf16 H`, in front of a '='. The next token is a word or '['.
ParsedArray parse_array_or_name(Tokens& tokens, const Mesh& mesh);

}  // namespace meshmul::notation
