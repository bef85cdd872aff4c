#include "notation/tokens.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "meshmul/error.hpp"

namespace meshmul::notation {
namespace {

// The notation is ASCII whatever the locale, so <cctype> is not asked.
bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Length of the symbol at the front: the arrow is one, and so is a whole character of UTF-8.
std::size_t symbol_length(std::string_view rest) {
  if (rest.substr(0, 2) == "->") return 2;
  std::size_t length = 1;
  while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U) ++length;
  return length;
}

Token read_token(std::string_view text, std::size_t offset) {
  const std::string_view rest = text.substr(offset);
  const auto run = [&](auto belongs) {
    return static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), belongs) - rest.begin());
  };
  if (rest.empty()) return {TokenKind::kEnd, rest, offset};
  if (is_letter(rest[0]))
    return {TokenKind::kWord, rest.substr(0, run([](char c) { return is_letter(c) || is_digit(c); })), offset};
  if (is_digit(rest[0])) return {TokenKind::kNumber, rest.substr(0, run(is_digit)), offset};
  return {TokenKind::kSymbol, rest.substr(0, symbol_length(rest)), offset};
}

}  // namespace

Tokens::Tokens(std::string_view text) : text_(text) {
  std::size_t offset = 0;
  do {
    while (offset < text.size() && is_space(text[offset])) ++offset;
    tokens_.push_back(read_token(text, offset));
    offset += tokens_.back().text.size();
  } while (tokens_.back().kind != TokenKind::kEnd);
}

const Token& Tokens::peek(std::size_t ahead) const { return tokens_[std::min(next_ + ahead, tokens_.size() - 1)]; }

bool Tokens::next_is(std::string_view symbol, std::size_t ahead) const {
  return peek(ahead).kind == TokenKind::kSymbol && peek(ahead).text == symbol;
}

Token Tokens::take() {
  const Token token = peek();
  ++next_;
  return token;
}

bool Tokens::accept(std::string_view symbol) {
  if (!next_is(symbol)) return false;
  take();
  return true;
}

void Tokens::expect(std::string_view symbol, std::string_view expected) {
  if (!accept(symbol)) fail_expecting(expected);
}

void Tokens::fail(const Token& token, const std::string& sentence) const {
  const std::size_t length = std::max<std::size_t>(token.text.size(), 1);
  throw Error(ErrorCode::kInvalidArgument, sentence, TextPlace{std::string(text_), token.offset, length});
}

void Tokens::fail_expecting(std::string_view expected) const {
  const Token& token = peek();
  if (token.kind == TokenKind::kEnd) fail(token, fmt::format("expected {}; the text ends here", expected));
  fail(token, fmt::format("expected {}; found '{}'", expected, token.text));
}

}  // namespace meshmul::notation
