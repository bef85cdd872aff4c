// Printing and parsing on random statements and damaged texts.

#include <string>

#include "meshmul/error.hpp"
#include "meshmul/statement.hpp"
#include "notation/damaged.hpp"
#include "notation/random_statement.hpp"
#include "properties/check_property.hpp"

namespace meshmul {
namespace {

using testing::any_statement;
using testing::check_property;
using testing::damaged;
using testing::StatementCase;

/// Puts blanks around the symbols of `text`, the arrow apart.
std::string with_blanks(const std::string& text) {
  std::string spaced;
  for (const char c : text) {
    const bool symbol = std::string("[]{}(),_=*?").find(c) != std::string::npos;
    const std::string blank = symbol ? *rc::gen::element<std::string>("", " ", "\t ", "\n") : "";
    spaced += blank + c + blank;
  }
  return spaced;
}

TEST(StatementProperty, PrintingAndParsingAreInverse) {
  check_property(1000, [] {
    const StatementCase c = *any_statement();
    RC_ASSERT(parse_statement(to_string(c.statement, c.mesh), c.mesh) == c.statement);
  });
}

TEST(StatementProperty, ArraysPrintAndParseAlone) {
  check_property(500, [] {
    const StatementCase c = *any_statement();
    for (const ArrayType* type : inputs(c.statement)) RC_ASSERT(parse_array(to_string(*type, c.mesh), c.mesh) == *type);
  });
}

TEST(StatementProperty, BlanksBetweenTokensMeanNothing) {
  check_property(500, [] {
    const StatementCase c = *any_statement();
    RC_ASSERT(parse_statement(with_blanks(to_string(c.statement, c.mesh)), c.mesh) == c.statement);
  });
}

TEST(StatementProperty, DamagedTextIsAStatementOrAnErrorWithAPlace) {
  check_property(3000, [] {
    const StatementCase c = *any_statement();
    const std::string text = damaged(to_string(c.statement, c.mesh), "[]{}(),_=*->?U9AXIJdz \xC3");
    try {
      const Statement statement = parse_statement(text, c.mesh);
      RC_ASSERT(parse_statement(to_string(statement, c.mesh), c.mesh) == statement);
    } catch (const Error& error) {
      RC_ASSERT(error.code() == ErrorCode::kInvalidArgument);
      RC_ASSERT(error.place().has_value());
      RC_ASSERT(error.place()->text == text);
      RC_ASSERT(error.place()->offset <= text.size());
    }
  });
}

}  // namespace
}  // namespace meshmul
