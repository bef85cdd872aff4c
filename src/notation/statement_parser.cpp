// Reads a product, a change of sharding or a collective.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <string>

#include "base/did_you_mean.hpp"
#include "meshmul/statement.hpp"
#include "notation/array_parser.hpp"
#include "notation/axes_parser.hpp"
#include "notation/collective_type.hpp"
#include "notation/completion.hpp"
#include "notation/index_rules.hpp"
#include "notation/print.hpp"
#include "notation/tokens.hpp"

namespace meshmul {
namespace notation {
namespace {

constexpr std::array kCollectives{CollectiveKind::kAllGather, CollectiveKind::kReduceScatter,
                                  CollectiveKind::kAllReduce, CollectiveKind::kAllToAll};

void expect_end(const Tokens& tokens, std::string_view what) {
  if (tokens.peek().kind != TokenKind::kEnd) tokens.fail_expecting(fmt::format("nothing after the {}", what));
}

Product parse_product(Tokens& tokens, const Mesh& mesh, ParsedArray a) {
  ParsedArray b = parse_array(tokens, mesh);
  tokens.expect("->", "'->' and the output of the product");
  ParsedArray c = parse_array(tokens, mesh);
  expect_end(tokens, "output");
  complete_product_names(tokens, a, b, c);
  check_product_indices(tokens, a, b, c);
  complete_product_dtypes(tokens, a, b, c);
  complete_sizes(tokens, {&a, &b, &c});
  return {a.type, b.type, c.type};
}

Reshard parse_reshard(Tokens& tokens, const Mesh& mesh, ParsedArray from) {
  ParsedArray to = parse_array(tokens, mesh);
  expect_end(tokens, "result");
  complete_reshard_names(tokens, from, to);
  match_reshard_indices(tokens, from, to);
  complete_reshard_dtypes(tokens, from, to);
  complete_sizes(tokens, {&from, &to});
  return {from.type, to.type};
}

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

bool is_collective(const Tokens& tokens) {
  return tokens.peek().kind == TokenKind::kWord && (tokens.next_is("_", 1) || tokens.next_is("(", 1));
}

/// The first array gives its dtype to those that have none written.
ParsedArray parse_first_array(Tokens& tokens, const Mesh& mesh, Dtype default_dtype) {
  ParsedArray array = parse_array(tokens, mesh);
  if (!array.dtype) array.type.dtype = default_dtype;
  return array;
}

Collective parse_collective(Tokens& tokens, const Mesh& mesh, Dtype default_dtype) {
  Collective collective;
  collective.kind = parse_kind(tokens);
  const std::string_view kind_name = name(collective.kind);
  tokens.expect("_", fmt::format("'_' and mesh axes after {0}, as in {0}_X", kind_name));
  const std::vector<AxisUse> uses = parse_axes(tokens, mesh, kind_name);
  const std::optional<Token> target = parse_target(tokens, collective.kind);
  tokens.expect("(", "'(' and an array");
  ParsedArray array = parse_first_array(tokens, mesh, default_dtype);
  tokens.expect(")", "')' after the array");

  if (array.type.name.empty()) array.type.name = std::string("A");
  if (array.type.open)
    tokens.fail(array.start,
                fmt::format("{} has an open sharding (?), but a collective needs a written one", label(array.type)));
  for (const AxisUse& use : uses) collective.axes.push_back(use.axis);
  if (target) collective.dim = find_target(tokens, *target, array.type);
  collective.from = array.type;
  const auto fault = collective_fault(collective, mesh);
  if (fault) tokens.fail(uses[fault->axis].token, fault->sentence);
  collective.to = collective_result(collective.kind, collective.axes, collective.dim, collective.from);
  if (tokens.next_is("->"))
    tokens.fail(tokens.peek(), fmt::format("a collective is written without its result, which is {} here",
                                           short_text(collective.to, mesh)));
  expect_end(tokens, "collective");
  return collective;
}

}  // namespace
}  // namespace notation

Statement parse_statement(std::string_view text, const Mesh& mesh, Dtype default_dtype) {
  notation::Tokens tokens(text);
  if (notation::is_collective(tokens)) return notation::parse_collective(tokens, mesh, default_dtype);
  notation::ParsedArray first = notation::parse_first_array(tokens, mesh, default_dtype);
  if (tokens.accept("*")) return notation::parse_product(tokens, mesh, std::move(first));
  tokens.expect("->", "'*' and a second array, or '->' and another sharding");
  return notation::parse_reshard(tokens, mesh, std::move(first));
}

std::optional<Dtype> written_dtype(std::string_view text, const Mesh& mesh) {
  notation::Tokens tokens(text);
  if (notation::is_collective(tokens))
    while (!tokens.accept("(") && tokens.peek().kind != notation::TokenKind::kEnd) tokens.take();
  const notation::ParsedArray first = notation::parse_array(tokens, mesh);
  return first.dtype ? std::optional(first.type.dtype) : std::nullopt;
}

}  // namespace meshmul
