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

/// Length of the quoted text at the front; 0 if its line ends before it does.
std::size_t quoted_length(std::string_view rest) {
  const std::size_t end = rest.find_first_of("\"\n", 1);
  return end != std::string_view::npos && rest[end] == '"' ? end + 1 : 0;
}

/// Length of the white space and comments at the front.
std::size_t blank_length(std::string_view rest) {
  std::size_t length = 0;
  while (length < rest.size()) {
    if (rest[length] == '#')
      length = std::min(rest.find('\n', length), rest.size());
    else if (is_space(rest[length]))
      ++length;
    else
      break;
  }
  return length;
}

Token read_token(std::string_view text, std::size_t offset) {
  const std::string_view rest = text.substr(offset);
  const auto run = [&](auto belongs) {
    return static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), belongs) - rest.begin());
  };
  if (rest.empty()) return {TokenKind::kEnd, rest, offset};
  if (rest[0] == '"' && quoted_length(rest) > 0) return {TokenKind::kText, rest.substr(0, quoted_length(rest)), offset};
  if (is_letter(rest[0]))
    return {TokenKind::kWord, rest.substr(0, run([](char c) { return is_letter(c) || is_digit(c); })), offset};
  if (is_digit(rest[0])) return {TokenKind::kNumber, rest.substr(0, run(is_digit)), offset};
  return {TokenKind::kSymbol, rest.substr(0, symbol_length(rest)), offset};
}

}  // namespace

Tokens::Tokens(std::string_view text) : text_(text) {
  std::size_t offset = 0;
  do {
    const std::string_view blank = text.substr(offset, blank_length(text.substr(offset)));
    const bool first_in_line = offset == 0 || blank.find('\n') != std::string_view::npos;
    offset += blank.size();
    tokens_.push_back(read_token(text, offset));
    tokens_.back().first_in_line = first_in_line;
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

std::string_view Tokens::between(const Token& first, const Token& last) const {
  return text_.substr(first.offset, last.offset + last.text.size() - first.offset);
}

std::size_t Tokens::line(const Token& token) const {
  const std::string_view before = text_.substr(0, token.offset);
  return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

void Tokens::fail(const Token& token, const std::string& sentence) const {
  const std::size_t length = std::max<std::size_t>(token.text.size(), 1);
  throw Error(ErrorCode::kInvalidArgument, sentence, TextPlace{std::string(text_), token.offset, length});
}

void Tokens::fail_expecting(std::string_view expected) const {
  const Token& token = peek();
  const bool at_end = token.kind == TokenKind::kEnd;
  if (token.first_in_line && next_ > 0) {
    const Token& last = tokens_[std::min(next_, tokens_.size()) - 1];
    const Token line_end{TokenKind::kEnd, {}, last.offset + last.text.size()};
    fail(line_end, fmt::format("expected {}; the {} ends here", expected, at_end ? "text" : "line"));
  }
  if (at_end) fail(token, fmt::format("expected {}; the text ends here", expected));
  fail(token, fmt::format("expected {}; found '{}'", expected, token.text));
}

}  // namespace meshmul::notation
