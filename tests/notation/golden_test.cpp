// Runs the cases of tests/golden/notation_*.txt: a mesh and a text in, the canonical text or an error report out.

#include "golden/golden.hpp"

#include <gtest/gtest.h>

#include <string>

#include "meshmul/error.hpp"
#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

/// The rest of the line that begins with `word`, without the blank after it.
std::string rest_of_line(const std::string& line, const std::string& word) {
  return line.size() > word.size() ? line.substr(word.size() + 1) : "";
}

/// What the two lines `mesh …` and `array …`, `statement …` or `sizes …` print.
std::string answer(const std::string& in) {
  const std::size_t line_end = in.find('\n');
  const Mesh mesh = parse_mesh(rest_of_line(in.substr(0, line_end), "mesh"));
  const std::string line = in.substr(line_end + 1);
  const std::string verb = line.substr(0, line.find(' '));
  const std::string text = rest_of_line(line, verb);
  try {
    if (verb == "array") return to_string(parse_array(text, mesh), mesh);
    const Statement statement = parse_statement(text, mesh);
    if (verb == "sizes") check_sizes(statement);
    return to_string(statement, mesh);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.report();
  }
}

void check_file(const std::string& file, std::size_t least) {
  const auto cases = testing::read_golden(file);
  EXPECT_GE(cases.size(), least);
  for (const auto& [name, in, out] : cases) EXPECT_EQ(answer(in), out) << name;
}

TEST(NotationGolden, StatementsHaveACanonicalForm) { check_file("golden/notation_statements.txt", 36); }

TEST(NotationGolden, ErrorsPointAtThePlaceAndSayWhatWasExpected) { check_file("golden/notation_errors.txt", 106); }

TEST(NotationGolden, CanonicalFormIsItsOwn) {
  for (const auto& [name, in, out] : testing::read_golden("golden/notation_statements.txt")) {
    const std::size_t verb = in.find('\n') + 1;
    EXPECT_EQ(answer(in.substr(0, in.find(' ', verb) + 1) + out), out) << name;
  }
}

}  // namespace
}  // namespace meshmul
