#pragma once
// Walks over a text line by line and token by token; what it cannot read becomes an Error with the place.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "meshmul/box.hpp"

namespace meshmul {

/// A line ends at its `#` or its newline. Blanks between tokens mean nothing. Every failure throws
/// Error(kInvalidArgument) whose place lies in the whole text.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_(text) {}

  /// Moves to the next line that holds more than blanks and a comment; false when there is none.
  bool next_line();
  /// The number of the line, from 1.
  std::int64_t line() const { return line_; }

  /// Nothing is left on this line.
  bool at_end();
  /// Fails unless nothing is left on this line.
  void expect_end();

  /// True, and past it, if `symbol` comes next.
  bool accept(std::string_view symbol);
  void expect(std::string_view symbol);
  /// The next word, `[A-Za-z][A-Za-z0-9_.]*`, without moving past it; empty if there is none.
  std::string_view peek_word();
  /// True, and past it, if `word` is the next word.
  bool accept_word(std::string_view word);
  void expect_word(std::string_view word);

  /// A word; `expected` says in the failure what it should have been: `a signal`.
  std::string_view word(std::string_view expected);
  /// A whole number from 0 to 2^63 - 1.
  std::int64_t number(std::string_view expected);
  /// A number below `limit`: `expected rank below 4, found 7`.
  int number_below(std::int64_t limit, std::string_view expected);
  /// `[0:2, 4:8]`
  Box box();
  /// `[2, 8]`
  Shape shape();
  /// What comes next up to a blank, without moving past it; empty at the end of the line.
  std::string_view peek_token();
  /// What comes next up to a blank.
  std::string_view token(std::string_view expected);
  /// Everything up to the end of the line, without blanks around it.
  std::string_view rest();

  /// Blames the token that comes next.
  [[noreturn]] void fail(const std::string& sentence);
  /// `expected a signal, found 'x'`
  [[noreturn]] void fail_expected(std::string_view expected);
  /// Blames a part of the text that this cursor gave out.
  [[noreturn]] void fail_at(std::string_view part, const std::string& sentence) const;
  /// Offset in the whole text of a part that this cursor gave out.
  std::size_t offset_of(std::string_view part) const { return static_cast<std::size_t>(part.data() - text_.data()); }
  std::string_view text() const { return text_; }

 private:
  void skip_blanks();
  template <class ReadItem>
  void list(std::string_view what, ReadItem read_item);

  std::string_view text_;
  std::size_t position_ = 0;
  std::int64_t line_ = 0;
  std::size_t line_end_ = 0;   // where the content of this line ends: newline or comment
  std::size_t next_line_ = 0;  // where the next line begins
};

}  // namespace meshmul
