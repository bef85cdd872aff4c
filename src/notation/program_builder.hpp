#pragma once
// From the lines of a program to values and statements: names are looked up, types follow, loops carry.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "meshmul/program.hpp"
#include "notation/names.hpp"
#include "notation/program_syntax.hpp"
#include "notation/result_type.hpp"
#include "notation/tokens.hpp"

namespace meshmul::notation {

class ProgramBuilder {
 public:
  /// Keeps references to `tokens` and `items`, whose sizes are complete.
  ProgramBuilder(const Tokens& tokens, std::string_view text, const std::vector<ParsedItem>& items);

  /// To be called once. Throws Error(kInvalidArgument) with the place of what is wrong.
  Program build();

  void operator()(const ParsedDeclaration& declaration);
  void operator()(const ParsedAssignment& assignment);
  void operator()(const ParsedGrad& grad);
  void operator()(const ParsedRepeat& repeat);

 private:
  ValueId add(Value value, const Token& place);
  const Token& place(ValueId id) const { return places_[static_cast<std::size_t>(id)]; }
  std::size_t line(ValueId id) const { return tokens_.line(place(id)); }
  void declare_all();
  void copy_shardings();

  ProgramStatement assign(const ParsedAssignment& assignment);
  Operand operand(const ParsedUse& use);
  void check_slice(const ParsedUse& use, ValueId id) const;

  std::vector<Carry> begin_pass(const ParsedRepeat& repeat);
  void end_pass(std::vector<Carry>& carries);
  void check_pass(const Carry& carry) const;
  bool is_like(ValueId value, ValueId other) const;

  std::vector<bool> differentiable_origins(const ParsedGrad& grad, ValueId of) const;
  ValueId cotangent(const ParsedGrad& grad, ValueId of);
  ValueId array_of_gradient(const ParsedGrad& grad, const Token& result, const std::vector<bool>& origins) const;

  void check_all_read() const;

  const Tokens& tokens_;
  const std::vector<ParsedItem>& items_;
  Program program_;
  Names names_;
  std::map<std::string, ValueId, std::less<>> declared_;
  std::vector<Token> places_;               // by value
  const ParsedRepeat* loop_ = nullptr;      // around the line at hand
  std::optional<std::int64_t> num_slices_;  // of an array that a line of that loop has taken a slice of
};

}  // namespace meshmul::notation
