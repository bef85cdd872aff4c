#pragma once
// Reads products and changes of sharding, which stand alone or as lines of a program.

#include "meshmul/mesh.hpp"
#include "notation/array_parser.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

struct ParsedProduct {
  ParsedArray a, b, c;
};

struct ParsedReshard {
  ParsedArray from, to;
};

/// Reads on after `a`, from the '*'. Names, dtypes and sizes are filled in, indices checked.
ParsedProduct parse_product(Tokens& tokens, const Mesh& mesh, ParsedArray a);

/// Reads on after `from`, from the '->'. Names, dtypes, indices and sizes are filled in and checked.
ParsedReshard parse_reshard(Tokens& tokens, const Mesh& mesh, ParsedArray from);

}  // namespace meshmul::notation
