#include "draw/op_words.hpp"

#include <gmock/gmock.h>

#include "draw/sample.hpp"

namespace meshmul::drawing {
namespace {

using ::testing::ElementsAre;

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) {
    const bool follows = word.starts_with('@') || word.starts_with('[');
    text += (text.empty() || follows ? "" : " ") + std::string(word);
  }
  return text;
}

TEST(OpWords, RegionsFallIntoBufferRankAndBox) {
  EXPECT_THAT(words_of("put b.whole@3[0:1, 2:5] b[] arrived got"),
              ElementsAre("put", "b.whole", "@3", "[0:1, 2:5]", "b", "[]", "arrived", "got"));
  EXPECT_THAT(words_of("wait got >= 12"), ElementsAre("wait", "got", ">=", "12"));
}

TEST(OpWords, GiveTheTextOfEveryOpBack) {
  const Schedule schedule = meshmul::testing::small_sample().schedule;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        const std::string text = to_string(schedule, rank, op);
        EXPECT_EQ(joined(words_of(text)), text);
      }
}

TEST(WordTable, HasEveryWordOnce) {
  WordTable table;
  EXPECT_EQ(table.number_of("put"), 0);
  EXPECT_EQ(table.number_of("got"), 1);
  EXPECT_EQ(table.number_of("put"), 0);
  EXPECT_THAT(table.words(), ElementsAre("put", "got"));
}

}  // namespace
}  // namespace meshmul::drawing
