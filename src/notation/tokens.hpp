#pragma once
// The tokens of the notation. Each is a view of the text, so that an error can put its caret where the token stands.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace meshmul::notation {

enum class TokenKind {
  kWord,    ///< a letter, then letters and digits
  kNumber,  ///< digits
  kText,    ///< between double quotes, which belong to it, on one line
  kSymbol,  ///< `->`, or any other single character
  kEnd,     ///< after the last character; its text is empty
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  std::size_t offset = 0;
  bool first_in_line = false;
};

/// Walks over the tokens of a text, which must outlive it. White space between tokens, and comments from `#` to the end
/// of the line, mean nothing.
class Tokens {
 public:
  explicit Tokens(std::string_view text);

  /// The token `ahead` of the next one; the end for ever after the end.
  const Token& peek(std::size_t ahead = 0) const;
  bool next_is(std::string_view symbol, std::size_t ahead = 0) const;
  Token take();
  /// Takes the next token if it is `symbol`.
  bool accept(std::string_view symbol);
  /// Takes the next token, which must be `symbol`; `expected` says so in words otherwise.
  void expect(std::string_view symbol, std::string_view expected);

  /// All that stands from `first` to `last`.
  std::string_view between(const Token& first, const Token& last) const;
  /// The line of `token`, from 1.
  std::size_t line(const Token& token) const;

  /// Throws Error(kInvalidArgument) with `sentence` and the place of `token`.
  [[noreturn]] void fail(const Token& token, const std::string& sentence) const;
  /// `expected …; found '*'`, at the next token; `expected …; the line ends here` if that stands on another line than
  /// the one before it.
  [[noreturn]] void fail_expecting(std::string_view expected) const;

 private:
  std::string_view text_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
};

}  // namespace meshmul::notation
