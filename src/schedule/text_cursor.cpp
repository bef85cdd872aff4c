#include "text_cursor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

// Locale-free, unlike those of <cctype>.
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

}  // namespace

bool TextCursor::next_line() {
  while (next_line_ < text_.size()) {
    position_ = next_line_;
    const std::size_t newline = std::min(text_.find('\n', position_), text_.size());
    next_line_ = newline + 1;
    ++line_;
    line_end_ = position_ + std::min(text_.substr(position_, newline - position_).find('#'), newline - position_);
    if (!at_end()) return true;
  }
  return false;
}

void TextCursor::skip_blanks() {
  while (position_ < line_end_ && is_blank(text_[position_])) ++position_;
}

bool TextCursor::at_end() {
  skip_blanks();
  return position_ == line_end_;
}

void TextCursor::expect_end() {
  if (!at_end()) fail_expected("the end of the line");
}

bool TextCursor::accept(std::string_view symbol) {
  skip_blanks();
  if (text_.substr(position_, line_end_ - position_).substr(0, symbol.size()) != symbol) return false;
  position_ += symbol.size();
  return true;
}

void TextCursor::expect(std::string_view symbol) {
  if (!accept(symbol)) fail_expected(fmt::format("'{}'", symbol));
}

std::string_view TextCursor::peek_word() {
  skip_blanks();
  std::size_t end = position_;
  if (end < line_end_ && is_letter(text_[end]))
    while (end < line_end_ && is_word_character(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

bool TextCursor::accept_word(std::string_view word) {
  if (peek_word() != word) return false;
  position_ += word.size();
  return true;
}

void TextCursor::expect_word(std::string_view word) {
  if (!accept_word(word)) fail_expected(fmt::format("'{}'", word));
}

std::string_view TextCursor::word(std::string_view expected) {
  const std::string_view found = peek_word();
  if (found.empty()) fail_expected(expected);
  position_ += found.size();
  return found;
}

std::int64_t TextCursor::number(std::string_view expected) {
  skip_blanks();
  std::int64_t value = 0;
  const char* const begin = text_.data() + position_;
  if (position_ == line_end_ || !is_digit(*begin)) fail_expected(expected);
  const auto [end, status] = std::from_chars(begin, text_.data() + line_end_, value);
  if (status != std::errc()) fail(fmt::format("the number {} is larger than 2^63 - 1", peek_token()));
  position_ += static_cast<std::size_t>(end - begin);
  return value;
}

int TextCursor::number_below(std::int64_t limit, std::string_view expected) {
  skip_blanks();
  const std::size_t begin = position_;
  const std::int64_t value = number(expected);
  if (value >= limit)
    fail_at(text_.substr(begin, position_ - begin),
            fmt::format("expected {} below {}, found {}", expected, limit, value));
  return static_cast<int>(value);
}

template <class ReadItem>
void TextCursor::list(std::string_view what, ReadItem read_item) {
  skip_blanks();
  const std::size_t begin = position_;
  expect("[");
  if (accept("]")) return;
  int dims = 0;
  do {
    if (++dims > kMaxDims)
      fail_at(text_.substr(begin, position_ - begin), fmt::format("{} has more than {} dimensions", what, kMaxDims));
    read_item();
  } while (accept(","));
  if (!accept("]")) fail_expected("',' or ']'");
}

Box TextCursor::box() {
  Box box;
  list("this box", [&] {
    skip_blanks();
    const std::size_t begin = position_;
    Interval interval;
    interval.begin = number("an interval such as 0:4");
    expect(":");
    interval.end = number("the end of an interval");
    if (interval.end < interval.begin)
      fail_at(text_.substr(begin, position_ - begin),
              fmt::format("interval {}:{} ends before it begins", interval.begin, interval.end));
    box.push_back(interval);
  });
  return box;
}

Shape TextCursor::shape() {
  Shape shape;
  list("this buffer", [&] { shape.push_back(number("an extent")); });
  return shape;
}

std::string_view TextCursor::peek_token() {
  skip_blanks();
  std::size_t end = position_;
  while (end < line_end_ && !is_blank(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view TextCursor::token(std::string_view expected) {
  const std::string_view found = peek_token();
  if (found.empty()) fail_expected(expected);
  position_ += found.size();
  return found;
}

std::string_view TextCursor::rest() {
  skip_blanks();
  std::size_t end = line_end_;
  while (end > position_ && is_blank(text_[end - 1])) --end;
  const std::string_view all = text_.substr(position_, end - position_);
  position_ = line_end_;
  return all;
}

void TextCursor::fail(const std::string& sentence) { fail_at(peek_token(), sentence); }

void TextCursor::fail_expected(std::string_view expected) {
  const std::string_view found = peek_token();
  fail(found.empty() ? fmt::format("expected {}, found the end of the line", expected)
                     : fmt::format("expected {}, found '{}'", expected, found));
}

void TextCursor::fail_at(std::string_view part, const std::string& sentence) const {
  throw Error(ErrorCode::kInvalidArgument, sentence,
              TextPlace{std::string(text_), offset_of(part), std::max<std::size_t>(part.size(), 1)});
}

}  // namespace meshmul
