#include "notation/axes_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/did_you_mean.hpp"
#include "notation/print.hpp"

namespace meshmul::notation {
namespace {

std::vector<std::string> axis_names(const Mesh& mesh) {
  std::vector<std::string> names;
  for (const MeshAxis& axis : mesh.axes()) names.push_back(axis.name);
  return names;
}

[[noreturn]] void fail_unknown(const Tokens& tokens, const Mesh& mesh, const Token& token,
                               std::string_view suggestion) {
  tokens.fail(token, fmt::format("there is no mesh axis {}; {}{}", token.text, axes_of(mesh), suggestion));
}

/// A run is not all one-letter axes of the mesh: says what it should have been.
[[noreturn]] void fail_run(const Tokens& tokens, const Mesh& mesh, std::string_view owner, const Token& run) {
  // 1. A longer name, spelt right or almost: it belongs in braces.
  const std::vector<std::string> names = axis_names(mesh);
  if (mesh.find(run.text))
    tokens.fail(run,
                fmt::format("the name of mesh axis {0} has more than one letter; write {1}_{{{0}}}", run.text, owner));
  const std::string near = closest_word(run.text, names).value_or("");
  if (near.size() > 1) fail_unknown(tokens, mesh, run, fmt::format("; did you mean {}_{{{}}}?", owner, near));
  // 2. One-letter axes, and one that is not: that letter is the place.
  const auto lies_close = [&](char letter) { return closest_word(std::string_view(&letter, 1), names).has_value(); };
  if (std::any_of(run.text.begin(), run.text.end(), lies_close)) {
    std::size_t i = 0;
    while (mesh.find(run.text.substr(i, 1))) ++i;
    const Token letter{TokenKind::kWord, run.text.substr(i, 1), run.offset + i};
    fail_unknown(tokens, mesh, letter, did_you_mean(letter.text, names));
  }
  // 3. Nothing that the mesh has.
  fail_unknown(tokens, mesh, run, "");
}

std::vector<AxisUse> parse_run(const Tokens& tokens, const Mesh& mesh, std::string_view owner, const Token& run) {
  std::vector<AxisUse> uses;
  for (std::size_t i = 0; i < run.text.size(); ++i) {
    const Token letter{TokenKind::kWord, run.text.substr(i, 1), run.offset + i};
    const std::optional<int> axis = mesh.find(letter.text);
    if (!axis) fail_run(tokens, mesh, owner, run);
    uses.push_back({*axis, letter});
  }
  return uses;
}

}  // namespace

std::vector<AxisUse> parse_axes(Tokens& tokens, const Mesh& mesh, std::string_view owner) {
  if (tokens.peek().kind == TokenKind::kWord) return parse_run(tokens, mesh, owner, tokens.take());
  tokens.expect("{", "mesh axes after '_', such as XY or {data,model}");
  std::vector<AxisUse> uses;
  do {
    if (tokens.peek().kind != TokenKind::kWord) tokens.fail_expecting("the name of a mesh axis");
    const Token name = tokens.take();
    const std::optional<int> axis = mesh.find(name.text);
    if (!axis) fail_unknown(tokens, mesh, name, did_you_mean(name.text, axis_names(mesh)));
    uses.push_back({*axis, name});
  } while (tokens.accept(","));
  tokens.expect("}", "',' or '}' after a mesh axis");
  return uses;
}

}  // namespace meshmul::notation
