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

}  // namespace
}  // namespace meshmul
