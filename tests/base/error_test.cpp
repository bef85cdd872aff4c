#include "meshmul/error.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

TEST(Error, ReportPutsTheCaretUnderThePlace) {
  const Error error(ErrorCode::kInvalidArgument, "no such axis", {"A[I_Q]", 4, 1});
  EXPECT_EQ(error.report(), "A[I_Q]\n    ^ no such axis");
}

TEST(Error, ReportShowsOnlyTheLineOfThePlace) {
  const Error error(ErrorCode::kInvalidArgument, "unknown op", {"first\nsecond wrong\nthird", 13, 5});
  EXPECT_EQ(error.report(), "second wrong\n       ^ unknown op");
}

TEST(Error, LinesOfPlacesCountFromOne) {
  EXPECT_EQ((TextPlace{"", 0, 1}.line()), 1U);
  EXPECT_EQ((TextPlace{"a\nb\n", 1, 1}.line()), 1U);
  EXPECT_EQ((TextPlace{"a\nb\n", 2, 1}.line()), 2U);
  EXPECT_EQ((TextPlace{"a\nb\n", 9, 1}.line()), 3U);
}

TEST(Error, ReportCountsCharactersNotBytes) {
  const Error error(ErrorCode::kInvalidArgument, "odd", {"\xC3\xA4\xC3\xB6[", 4, 1});
  EXPECT_EQ(error.report(), "\xC3\xA4\xC3\xB6[\n  ^ odd");
}

TEST(Error, ReportAllowsAPlaceAtTheEnd) {
  EXPECT_EQ(Error(ErrorCode::kInvalidArgument, "more", {"A[", 2, 1}).report(), "A[\n  ^ more");
  EXPECT_EQ(Error(ErrorCode::kInvalidArgument, "more", {"", 0, 1}).report(), "\n^ more");
}

TEST(Error, ReportWithoutAPlaceIsTheSentence) {
  EXPECT_EQ(Error(ErrorCode::kMachine, "disk full").report(), "disk full");
}

TEST(Error, ShowsControlCharactersAsBlanks) {
  const Error error(ErrorCode::kInvalidArgument, "found '\x1b[2J\x7f'", {"a\tb\x1b[2J", 2, 1});
  EXPECT_STREQ(error.what(), "found ' [2J '");
  EXPECT_EQ(error.report(), "a b [2J\n  ^ found ' [2J '");
}

TEST(Error, ReportShowsALineOf160CharactersWhole) {
  const std::string line = std::string(159, 'a') + "[";
  EXPECT_EQ(Error(ErrorCode::kInvalidArgument, "odd", {line, 159, 1}).report(),
            line + "\n" + std::string(159, ' ') + "^ odd");
}

TEST(Error, ReportCutsALongLineAroundThePlace) {
  const std::string many(50'000, 'a');
  const auto report_of = [](const std::string& line, std::size_t offset) {
    return Error(ErrorCode::kInvalidArgument, "odd", {line, offset, 1}).report();
  };
  const std::string some(80, 'a');
  const std::string blanks(80, ' ');
  EXPECT_EQ(report_of(many + "[" + many, 50'000), "…" + some + "[" + some.substr(1) + "…\n" + blanks + " ^ odd");
  EXPECT_EQ(report_of("[" + many, 0), "[" + some.substr(1) + "…\n^ odd");
  EXPECT_EQ(report_of(many, 50'000), "…" + some + "\n" + blanks + " ^ odd");
}

TEST(Error, ReportCutsALongLineBetweenCharacters) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "ä";
  const std::string report = Error(ErrorCode::kInvalidArgument, "odd", {many, 1000, 1}).report();
  std::string some;
  for (int i = 0; i < 80; ++i) some += "ä";
  EXPECT_EQ(report, "…" + some + some + "…\n" + std::string(81, ' ') + "^ odd");
}

TEST(Error, ReportCutsALongLineThatIsNotText) {
  const std::string many(100'000, '\x80');
  EXPECT_LT(Error(ErrorCode::kInvalidArgument, "odd", {many, 50'000, 1}).report().size(), 1000U);
}

TEST(Error, OfASentenceThatQuotesTooMuchTheMiddleGoes) {
  const std::string sentence = "found '" + std::string(100'000, 'a') + "'; expected less";
  const std::string kept = Error(ErrorCode::kInvalidArgument, sentence).what();
  EXPECT_EQ(kept, sentence.substr(0, 1000) + "…" + sentence.substr(sentence.size() - 1000));
  EXPECT_EQ(Error(ErrorCode::kInvalidArgument, std::string(2000, 'a')).what(), std::string(2000, 'a'));
}

}  // namespace
}  // namespace meshmul
