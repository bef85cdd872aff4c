#include "notation/collective_parser.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string>

#include "base/did_you_mean.hpp"
#include "notation/axes_parser.hpp"
#include "notation/collective_type.hpp"
#include "notation/print.hpp"

namespace meshmul::notation {
namespace {

constexpr std::array kCollectives{CollectiveKind::kAllGather, CollectiveKind::kReduceScatter,
                                  CollectiveKind::kAllReduce, CollectiveKind::kAllToAll};

CollectiveKind parse_kind(Tokens& tokens) {
  const Token word = tokens.take();
  std::vector<std::string> names;
  for (const CollectiveKind kind : kCollectives) {
    if (name(kind) == word.text) return kind;
    names.emplace_back(name(kind));
  }
  tokens.fail(word, fmt::format("{} is not a collective ({}){}{}", word.text, fmt::join(names, ", "),
                                tokens.next_is("_") ? ", and the name of an array has no '_'" : "",
                                did_you_mean(word.text, names)));
}

/// The index after the axes, for those collectives that need one.
std::optional<Token> parse_target(Tokens& tokens, CollectiveKind kind) {
  const bool needs_target = kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kAllToAll;
  if (!needs_target) {
    if (tokens.next_is(",")) tokens.fail(tokens.peek(), fmt::format("{} takes mesh axes and no index", name(kind)));
    return std::nullopt;
  }
  tokens.expect(",", fmt::format("',' and the index that the axes will cut, as in {}_X,K", name(kind)));
  if (tokens.peek().kind != TokenKind::kWord) tokens.fail_expecting("the index that the axes will cut");
  return tokens.take();
}

int find_target(const Tokens& tokens, const Token& target, const ArrayType& type) {
  std::vector<std::string> indices;
  for (int dim = 0; dim < type.num_dims(); ++dim) {
    const std::string& index = type.dims[static_cast<std::size_t>(dim)].index;
    if (index == target.text) return dim;
    if (!index.empty()) indices.push_back(index);
  }
  const std::string known =
      indices.empty() ? "its dimensions have sizes alone" : fmt::format("its indices are {}", fmt::join(indices, ", "));
  tokens.fail(target, fmt::format("{} has no index {}; {}{}", label(type), target.text, known,
                                  did_you_mean(target.text, indices)));
}

}  // namespace

Collective ParsedCollective::collective() const {
  return {kind, axes, dim, array.type, collective_result(kind, axes, dim, array.type)};
}

bool is_collective(const Tokens& tokens) {
  return tokens.peek().kind == TokenKind::kWord && (tokens.next_is("_", 1) || tokens.next_is("(", 1));
}

ParsedCollective parse_collective(Tokens& tokens, const Mesh& mesh) {
  ParsedCollective parsed;
  parsed.start = tokens.peek();
  parsed.kind = parse_kind(tokens);
  const std::string_view kind_name = name(parsed.kind);
  tokens.expect("_", fmt::format("'_' and mesh axes after {0}, as in {0}_X", kind_name));
  const std::vector<AxisUse> uses = parse_axes(tokens, mesh, kind_name);
  const std::optional<Token> target = parse_target(tokens, parsed.kind);
  tokens.expect("(", "'(' and an array");
  parsed.array = parse_array(tokens, mesh);
  tokens.expect(")", "')' after the array");

  ArrayType& type = parsed.array.type;
  if (type.name.empty()) type.name = std::string("A");
  if (type.open)
    tokens.fail(parsed.array.start,
                fmt::format("{} has an open sharding (?), but a collective needs a written one", label(type)));
  for (const AxisUse& use : uses) parsed.axes.push_back(use.axis);
  if (target) parsed.dim = find_target(tokens, *target, type);
  const auto fault = collective_fault({parsed.kind, parsed.axes, parsed.dim, type, {}}, mesh);
  if (fault) tokens.fail(uses[fault->axis].token, fault->sentence);
  if (tokens.next_is("->"))
    tokens.fail(tokens.peek(), fmt::format("a collective is written without its result, which is {} here",
                                           short_text(parsed.collective().to, mesh)));
  return parsed;
}

}  // namespace meshmul::notation
