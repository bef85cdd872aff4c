#include <gtest/gtest.h>

#include "meshmul/draw.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using testing::error_of;

std::string refusal(std::string_view text) {
  return error_of([&] { parse_rank_range(text, 8); });
}

TEST(RankRange, IsOneRankOrTwoWithADash) {
  EXPECT_EQ(parse_rank_range("3", 8), (RankRange{3, 3}));
  EXPECT_EQ(parse_rank_range("0-7", 8), (RankRange{0, 7}));
  EXPECT_EQ((RankRange{2, 5}.size()), 4);
  EXPECT_TRUE((RankRange{2, 5}.contains(5)));
  EXPECT_FALSE((RankRange{2, 5}.contains(6)));
}

TEST(RankRange, SaysWhereTheTextIsWrong) {
  EXPECT_EQ(refusal(""), "\n^ expected a rank, as in 0-7 or 3");
  EXPECT_EQ(refusal("x"), "x\n^ expected a rank, as in 0-7 or 3");
  EXPECT_EQ(refusal("-3"), "-3\n^ expected a rank, as in 0-7 or 3");
  EXPECT_EQ(refusal("1--3"), "1--3\n  ^ expected a rank, as in 0-7 or 3");
  EXPECT_EQ(refusal("1-3,5"), "1-3,5\n   ^ expected the end or `-`, found `,`");
  EXPECT_EQ(refusal("5-2"), "5-2\n  ^ the last rank, 2, stands in front of the first, 5");
  EXPECT_EQ(refusal("0-8"), "0-8\n  ^ rank 8 does not exist: there are ranks 0 to 7");
  EXPECT_EQ(refusal("99999999999"), "99999999999\n^ rank 99999999999 does not exist: there are ranks 0 to 7");
}

}  // namespace
}  // namespace meshmul
