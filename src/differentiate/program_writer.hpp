#pragma once
// Writes a program value by value and statement by statement, into the program itself or into the loop at hand.

#include <string>
#include <vector>

#include "meshmul/program.hpp"

namespace meshmul {

enum class Where {
  kProgram,
  kLoop,  ///< the body of the loop at hand
};

class ProgramWriter {
 public:
  /// New values get names that none of `source` has.
  explicit ProgramWriter(const Program& source);

  const Program& program() const { return program_; }
  Value& value(ValueId id) { return program_.value(id); }
  ArrayType type_of(const Use& use) const { return meshmul::type_of(program_, use); }

  ValueId add(Value value);
  /// An open value with the dtype and the dimensions of `type`, called `wanted` if that is free.
  ValueId add_open(const ArrayType& type, const std::string& wanted, ValueKind kind, bool is_cotangent);
  std::string free_name(const std::string& wanted);

  void append(Where where, ProgramStatement statement);
  /// `result` is open; the rest of a product, or function.
  void append_product(Where where, const Use& a, const Use& b, ValueId result);
  void append_map(Where where, MapFunction function, std::vector<Use> sources, ValueId result);

  /// Statements of Where::kLoop go into the body of a new loop, until it is closed. One at a time.
  void open_loop() { body_.clear(); }
  /// `loop` gets that body, and its place in the program.
  void close_loop(Repeat loop);
  /// Whether a statement of that body makes `value`.
  bool is_made_in_loop(ValueId value) const;

  Program take() { return std::move(program_); }
  void set_returned(std::vector<ValueId> returned) { program_.returned = std::move(returned); }
  void set_text(const std::string& text) { program_.text = text; }

 private:
  Program program_;
  std::vector<ProgramStatement> body_;
  std::vector<std::string> names_;
};

}  // namespace meshmul
