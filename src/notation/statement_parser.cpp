#include "notation/statement_parser.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "meshmul/statement.hpp"
#include "notation/array_parser.hpp"
#include "notation/collective_parser.hpp"
#include "notation/completion.hpp"
#include "notation/index_rules.hpp"
#include "notation/tokens.hpp"

namespace meshmul {
namespace notation {
namespace {

void expect_end(const Tokens& tokens, std::string_view what) {
  if (tokens.peek().kind != TokenKind::kEnd) tokens.fail_expecting(fmt::format("nothing after the {}", what));
}

/// The first array gives its dtype to those that have none written.
ParsedArray parse_first_array(Tokens& tokens, const Mesh& mesh, Dtype default_dtype) {
  ParsedArray array = parse_array(tokens, mesh);
  if (!array.dtype) array.type.dtype = default_dtype;
  return array;
}

Collective parse_collective_alone(Tokens& tokens, const Mesh& mesh, Dtype default_dtype) {
  ParsedCollective parsed = parse_collective(tokens, mesh);
  expect_end(tokens, "collective");
  if (!parsed.array.dtype) parsed.array.type.dtype = default_dtype;
  return parsed.collective();
}

}  // namespace

ParsedProduct parse_product(Tokens& tokens, const Mesh& mesh, ParsedArray a) {
  tokens.take();
  ParsedArray b = parse_array(tokens, mesh);
  tokens.expect("->", "'->' and the output of the product");
  ParsedArray c = parse_array(tokens, mesh);
  complete_product_names(tokens, a, b, c);
  check_product_indices(tokens, a, b, c);
  complete_product_dtypes(tokens, a, b, c);
  complete_sizes(tokens, {&a, &b, &c});
  return {std::move(a), std::move(b), std::move(c)};
}

ParsedReshard parse_reshard(Tokens& tokens, const Mesh& mesh, ParsedArray from) {
  tokens.take();
  ParsedArray to = parse_array(tokens, mesh);
  complete_reshard_names(tokens, from, to);
  match_reshard_indices(tokens, from, to);
  complete_reshard_dtypes(tokens, from, to);
  complete_sizes(tokens, {&from, &to});
  return {std::move(from), std::move(to)};
}

}  // namespace notation

Statement parse_statement(std::string_view text, const Mesh& mesh, Dtype default_dtype) {
  notation::Tokens tokens(text);
  if (notation::is_collective(tokens)) return notation::parse_collective_alone(tokens, mesh, default_dtype);
  notation::ParsedArray first = notation::parse_first_array(tokens, mesh, default_dtype);
  if (tokens.next_is("*")) {
    const auto [a, b, c] = notation::parse_product(tokens, mesh, std::move(first));
    notation::expect_end(tokens, "output");
    return Product{a.type, b.type, c.type};
  }
  if (!tokens.next_is("->")) tokens.fail_expecting("'*' and a second array, or '->' and another sharding");
  const auto [from, to] = notation::parse_reshard(tokens, mesh, std::move(first));
  notation::expect_end(tokens, "result");
  return Reshard{from.type, to.type};
}

std::optional<Dtype> written_dtype(std::string_view text, const Mesh& mesh) {
  notation::Tokens tokens(text);
  if (notation::is_collective(tokens))
    while (!tokens.accept("(") && tokens.peek().kind != notation::TokenKind::kEnd) tokens.take();
  const notation::ParsedArray first = notation::parse_array(tokens, mesh);
  return first.dtype ? std::optional(first.type.dtype) : std::nullopt;
}

}  // namespace meshmul
