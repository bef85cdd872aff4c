#pragma once
// Inputs whose first lines are read on their own, as a mesh is.

#include <algorithm>
#include <optional>
#include <string_view>

#include "meshmul/mesh.hpp"
#include "promises.hpp"

namespace meshmul::fuzz {

/// Takes the first line away from `text`, with its newline, and returns it without.
inline std::string_view take_line(std::string_view& text) {
  const std::size_t newline = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, newline);
  text.remove_prefix(std::min(newline + 1, text.size()));
  return line;
}

/// The mesh in the first line, which is taken away; nothing if it is none.
inline std::optional<Mesh> take_mesh(std::string_view& text) {
  const std::string_view line = take_line(text);
  const auto mesh = read_or_refuse([&] { return parse_mesh(line); });
  if (mesh) expect_round_trip(*mesh, [](const Mesh& value) { return value.str(); }, parse_mesh);
  return mesh;
}

}  // namespace meshmul::fuzz
