#pragma once
// Reads one collective, and remembers where its parts stand.

#include "meshmul/mesh.hpp"
#include "meshmul/statement.hpp"
#include "notation/array_parser.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

struct ParsedCollective {
  CollectiveKind kind = CollectiveKind::kAllGather;
  std::vector<int> axes;  ///< in the order written
  std::optional<int> dim;
  ParsedArray array;
  Token start;

  /// With what `array` says by now: dtype and sizes may be completed after it was read.
  Collective collective() const;
};

/// Whether the next tokens begin a collective: a word before `_` or `(`.
bool is_collective(const Tokens& tokens);

/// `OP '_' axes [',' INDEX] '(' array ')'`. The collective fits its array, which has a name (`A` if none is written) and
/// a written sharding.
ParsedCollective parse_collective(Tokens& tokens, const Mesh& mesh);

}  // namespace meshmul::notation
