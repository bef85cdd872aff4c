#pragma once
// Reads the mesh axes after a `_`: one-letter axes run together, or names in braces.

#include <string_view>
#include <vector>

#include "meshmul/mesh.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

struct AxisUse {
  int axis = 0;
  Token token;
};

/// Reads `XY` or `{data,model}`. `owner` is what stands before the `_` and is used in suggestions: `I_{data}`. An axis
/// may come twice: whoever uses the axes refuses that, and knows why.
std::vector<AxisUse> parse_axes(Tokens& tokens, const Mesh& mesh, std::string_view owner);

}  // namespace meshmul::notation
