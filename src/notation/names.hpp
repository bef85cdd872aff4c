#pragma once
// The names that are known at a line of a program, and the value that each stands for there.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/program.hpp"
#include "notation/program_syntax.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

class Names {
 public:
  struct Meaning {
    ValueId value = 0;
    Token place;  ///< where the name got it
  };
  using Table = std::map<std::string, Meaning, std::less<>>;

  /// Nothing is known yet; `items` tell what is defined later.
  Names(const Tokens& tokens, const std::vector<ParsedItem>& items);

  const Table& known() const { return known_; }
  std::optional<ValueId> find(std::string_view name) const;
  /// Throws Error(kInvalidArgument) at `name` if it is not known: not yet, no longer, or nowhere.
  ValueId look_up(const Token& name) const;
  /// As `look_up`, but nothing if `name` is defined nowhere.
  std::optional<ValueId> look_up_if_defined(const Token& name) const;

  void set(const Token& name, ValueId value);
  /// Ends a loop: what is known beside the names `before` it is forgotten.
  void return_to(Table before);

 private:
  const Tokens& tokens_;
  Table known_;
  std::map<std::string, Token, std::less<>> definitions_;  // where each name is defined first
  std::map<std::string, Token, std::less<>> forgotten_;    // where a loop that has ended made it
};

}  // namespace meshmul::notation
