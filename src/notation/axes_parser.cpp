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

[[noreturn]] void fail_unknown(const Tokens& tokens, const Mesh& mesh, const Token& token) {
  tokens.fail(token, fmt::format("there is no mesh axis {}; {}{}", token.text, axes_of(mesh),
                                 did_you_mean(token.text, axis_names(mesh))));
}

/// A run is not all one-letter axes of the mesh: says what it should have been.
[[noreturn]] void fail_run(const Tokens& tokens, const Mesh& mesh, std::string_view owner, const Token& run) {
  const std::optional<std::string> near = closest_word(run.text, axis_names(mesh));
  if (mesh.find(run.text) && run.text.size() > 1)
    tokens.fail(run, fmt::format("the name of mesh axis {0} is longer than a letter and needs braces: {1}_{{{0}}}",
                                 run.text, owner));
  const auto is_axis = [&](char letter) { return mesh.find(std::string_view(&letter, 1)).has_value(); };
  const auto wrong = std::find_if_not(run.text.begin(), run.text.end(), is_axis);
  const bool one_letter_is_wrong = std::any_of(run.text.begin(), run.text.end(), is_axis) && !near;
  if (!one_letter_is_wrong) fail_unknown(tokens, mesh, run);
  const auto position = static_cast<std::size_t>(wrong - run.text.begin());
  fail_unknown(tokens, mesh, {TokenKind::kWord, run.text.substr(position, 1), run.offset + position});
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
    if (!axis) fail_unknown(tokens, mesh, name);
    uses.push_back({*axis, name});
  } while (tokens.accept(","));
  tokens.expect("}", "',' or '}' after a mesh axis");
  return uses;
}

}  // namespace meshmul::notation
