// Reads which size is looked for, and where.
#include <fmt/format.h>

#include <charconv>

#include "meshmul/crossover.hpp"
#include "notation/tokens.hpp"

namespace meshmul {
namespace {

using notation::Token;
using notation::TokenKind;
using notation::Tokens;

constexpr std::int64_t kHighest = std::int64_t{1} << 53;

std::int64_t parse_bound(Tokens& tokens, std::string_view what) {
  if (tokens.peek().kind != TokenKind::kNumber) tokens.fail_expecting(fmt::format("the {} size, a whole number", what));
  const Token token = tokens.take();
  std::int64_t size = 0;
  const auto [end, status] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), size);
  if (status != std::errc() || size < 1 || size > kHighest)
    tokens.fail(token, fmt::format("sizes are looked for from 1 to {}; found {}", kHighest, token.text));
  return size;
}

}  // namespace

Unknown parse_unknown(std::string_view text) {
  Tokens tokens(text);
  if (tokens.peek().kind != TokenKind::kWord) tokens.fail_expecting("an index, as in B or B=1..4096");
  Unknown unknown;
  unknown.name = tokens.take().text;
  if (tokens.accept("=")) {
    unknown.low = static_cast<double>(parse_bound(tokens, "least"));
    tokens.expect(".", "'..' and the largest size");
    tokens.expect(".", "'..' and the largest size");
    const Token high = tokens.peek();
    unknown.high = static_cast<double>(parse_bound(tokens, "largest"));
    if (unknown.high <= unknown.low)
      tokens.fail(high, fmt::format("the largest size must be above the least, {}", unknown.low));
  }
  if (tokens.peek().kind != TokenKind::kEnd) tokens.fail_expecting("'=' and a range such as 1..4096, or nothing");
  return unknown;
}

}  // namespace meshmul
