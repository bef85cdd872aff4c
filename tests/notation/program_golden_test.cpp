// Runs the cases of tests/golden/program*.txt: a mesh and a program in, the canonical text or an error report out.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "golden/golden.hpp"
#include "meshmul/error.hpp"
#include "meshmul/program.hpp"
#include "support/tests_folder.hpp"

namespace meshmul {
namespace {

struct Source {
  Mesh mesh;
  std::string text;
};

/// The first line is `mesh …`, the rest a program.
Source source_of(const std::string& in) {
  const std::size_t line_end = std::min(in.find('\n'), in.size());
  const std::string first = in.substr(0, line_end);
  const std::string mesh = first.size() > 5 ? first.substr(5) : "";
  return {parse_mesh(mesh), line_end == in.size() ? "" : in.substr(line_end + 1)};
}

std::string names(const Program& program, const std::vector<ValueId>& values) {
  std::string names;
  for (const ValueId id : values) names += " " + program.value(id).type.name;
  return names;
}

/// The canonical text, and what goes in and comes out.
std::string answer(const std::string& in) {
  const Source source = source_of(in);
  const Program program = parse_program(source.text, source.mesh);
  return fmt::format("{}takes{}, returns{}", to_string(program, source.mesh), names(program, inputs(program)),
                     names(program, outputs(program)));
}

std::string report(const std::string& in) {
  const Source source = source_of(in);
  try {
    return to_string(parse_program(source.text, source.mesh), source.mesh);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(error.place()->text, source.text);
    return fmt::format("line {}:\n{}", error.place()->line(), error.report());
  }
}

TEST(ProgramGolden, ProgramsHaveACanonicalForm) {
  const auto cases = testing::read_golden("golden/programs.txt");
  EXPECT_GE(cases.size(), 21U);
  for (const auto& [name, in, out] : cases) EXPECT_EQ(answer(in), out) << name;
}

TEST(ProgramGolden, CanonicalFormIsItsOwn) {
  for (const auto& [name, in, out] : testing::read_golden("golden/programs.txt")) {
    const std::string canonical = out.substr(0, out.rfind("takes"));
    EXPECT_EQ(answer(in.substr(0, in.find('\n') + 1) + canonical), out) << name;
  }
}

TEST(ProgramGolden, ErrorsPointAtThePlaceAndSayWhatWasExpected) {
  const auto cases = testing::read_golden("golden/program_errors.txt");
  EXPECT_GE(cases.size(), 105U);
  for (const auto& [name, in, out] : cases) EXPECT_EQ(report(in), out) << name;
}

TEST(ProgramGolden, TheExamplesAreProgramsOfWhichAllSizesAreKnown) {
  int num_examples = 0;
  for (const auto& file : std::filesystem::directory_iterator(testing::tests_folder() / "../examples")) {
    if (file.path().extension() != ".mm") continue;
    ++num_examples;
    std::ifstream stream(file.path());
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    EXPECT_NO_THROW(check_sizes(parse_program(text, parse_mesh("X=2,Y=2")))) << file.path();
  }
  EXPECT_GE(num_examples, 3);
}

}  // namespace
}  // namespace meshmul
