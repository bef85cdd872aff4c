#include "base/word_list.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

TEST(WordList, JoinsWordsAsASentenceDoes) {
  EXPECT_EQ(word_list({}, "and"), "");
  EXPECT_EQ(word_list({"one"}, "and"), "one");
  EXPECT_EQ(word_list({"one", "two"}, "or"), "one or two");
  EXPECT_EQ(word_list({"one", "two", "three"}, "and"), "one, two and three");
}

}  // namespace
}  // namespace meshmul
