// Reads the right side of an assignment: a product, a function of one, or a function of named arrays.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>

#include "base/did_you_mean.hpp"
#include "notation/program_syntax.hpp"

namespace meshmul::notation {
namespace {

bool is_name_part(const Token& token) { return token.kind == TokenKind::kWord || token.kind == TokenKind::kNumber; }

/// How many tokens in front of a '(' are the name of a function, in which a `_` may stand; 0 if no function comes next.
std::size_t function_length(const Tokens& tokens) {
  if (tokens.peek().kind != TokenKind::kWord) return 0;
  std::size_t length = 1;
  while (tokens.next_is("_", length) && is_name_part(tokens.peek(length + 1))) length += 2;
  return tokens.next_is("(", length) ? length : 0;
}

/// Where a function stands.
enum class Place {
  kProgram,
  kContract,  ///< also those that read nothing, which the gradients of a program bring along
};

ParsedFunction parse_function_of(Tokens& tokens, std::size_t length, Place place) {
  Token name = tokens.take();
  for (Token last = name; length > 1; --length) {
    last = tokens.take();
    name.text = tokens.between(name, last);
  }
  std::vector<std::string> known;
  for (const MapFunction function : kAllMapFunctions) {
    if (num_sources(function) == 0 && place == Place::kProgram) continue;
    if (meshmul::name(function) == name.text) return {function, name};
    known.emplace_back(meshmul::name(function));
  }
  tokens.fail(name, fmt::format("{} is not a function; expected one of {}{}", name.text, fmt::join(known, ", "),
                                did_you_mean(name.text, known)));
}

ParsedUse parse_use(Tokens& tokens) {
  if (tokens.peek().kind != TokenKind::kWord) tokens.fail_expecting("the name of an array");
  if (function_length(tokens) > 0)
    tokens.fail(tokens.peek(), "a function stands alone on the right of '='; give its result a name on a line before");
  ParsedUse use{tokens.take(), std::nullopt};
  if (!tokens.accept("[")) return use;
  if (tokens.peek().kind != TokenKind::kWord || !tokens.next_is("]", 1))
    tokens.fail_expecting(fmt::format(
        "the variable of a repeat and ']', as in {}[l]; dimensions are written where an array is made", use.name.text));
  use.variable = tokens.take();
  tokens.take();
  return use;
}

/// The first operand has been read, and a '*' comes next.
void parse_second_factor(Tokens& tokens, ParsedExpression& expression) {
  tokens.take();
  expression.is_product = true;
  expression.operands.push_back(parse_use(tokens));
  if (tokens.next_is("*"))
    tokens.fail(tokens.peek(), "a product has two factors; give that of the first two a name on a line before");
}

ParsedExpression parse_call(Tokens& tokens, std::size_t name_length) {
  ParsedExpression call;
  call.function = parse_function_of(tokens, name_length, Place::kProgram);
  const auto& [function, token] = *call.function;
  tokens.take();
  call.operands.push_back(parse_use(tokens));
  if (tokens.next_is("*")) {
    if (num_sources(function) != 1)
      tokens.fail(tokens.peek(),
                  fmt::format("{} takes two arrays; give the product a name on a line before", token.text));
    parse_second_factor(tokens, call);
  } else {
    while (tokens.accept(",")) call.operands.push_back(parse_use(tokens));
    check_num_operands(tokens, *call.function, call.operands.size());
  }
  tokens.expect(")", fmt::format("')' after what {} is applied to", token.text));
  return call;
}

}  // namespace

ParsedFunction parse_function(Tokens& tokens) {
  const std::size_t length = function_length(tokens);
  if (length == 0) tokens.fail_expecting("a function such as gelu");
  return parse_function_of(tokens, length, Place::kContract);
}

void check_num_operands(const Tokens& tokens, const ParsedFunction& function, std::size_t found) {
  const auto expected = static_cast<std::size_t>(num_sources(function.function));
  if (found == expected) return;
  constexpr std::string_view kNumbers[] = {"no array", "one array", "two arrays"};
  tokens.fail(function.token, fmt::format("{} takes {}; found {}", function.token.text, kNumbers[expected], found));
}

ParsedExpression parse_expression(Tokens& tokens) {
  if (const std::size_t length = function_length(tokens); length > 0) return parse_call(tokens, length);
  if (tokens.peek().kind != TokenKind::kWord)
    tokens.fail_expecting("a product such as X * W, or a function such as gelu(X)");
  ParsedExpression product;
  product.operands.push_back(parse_use(tokens));
  if (!tokens.next_is("*"))
    tokens.fail_expecting(
        fmt::format("'*' and a second array (convert({}) makes a copy)", product.operands[0].name.text));
  parse_second_factor(tokens, product);
  return product;
}

}  // namespace meshmul::notation
