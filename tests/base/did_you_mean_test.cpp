#include "base/did_you_mean.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

const std::vector<std::string> kVerbs{"plan", "run", "cost", "verify", "simulate", "bench", "calibrate", "hardware"};

TEST(DidYouMean, FindsWordsThatAreOneEditAway) {
  EXPECT_EQ(closest_word("pln", kVerbs), "plan");       // a letter is missing
  EXPECT_EQ(closest_word("runn", kVerbs), "run");       // one too many
  EXPECT_EQ(closest_word("cist", kVerbs), "cost");      // a wrong one
  EXPECT_EQ(closest_word("evrify", kVerbs), "verify");  // two swapped
}

TEST(DidYouMean, AllowsMoreEditsInLongWords) {
  EXPECT_EQ(closest_word("callibrat", kVerbs), "calibrate");
  EXPECT_EQ(closest_word("sumulat", kVerbs), "simulate");
  EXPECT_EQ(closest_word("cast", {"bench", "cost"}), "cost");
  EXPECT_EQ(closest_word("fast", {"bench", "cost"}), std::nullopt);
}

TEST(DidYouMean, IgnoresLetterCase) {
  EXPECT_EQ(closest_word("BF16", {"f16", "bf16"}), "bf16");
  EXPECT_EQ(closest_word("x", {"Y", "X"}), "X");
}

TEST(DidYouMean, OffersNothingWhereNoLetterWouldStay) {
  EXPECT_EQ(closest_word("Q", {"X", "Y"}), std::nullopt);
  EXPECT_EQ(closest_word("", {"X", "Y"}), std::nullopt);
  EXPECT_EQ(closest_word("X", {}), std::nullopt);
}

TEST(DidYouMean, TakesTheNearestAndOfEqualsTheFirst) {
  EXPECT_EQ(closest_word("modle", {"modules", "model"}), "model");
  EXPECT_EQ(closest_word("at", {"cat", "bat"}), "cat");
}

TEST(DidYouMean, CountsABeginningAsOneEdit) {
  const std::vector<std::string> profiles{"cpu", "h100", "tpu7x", "v3", "v5e", "v5p"};
  EXPECT_EQ(closest_word("v5", profiles), "v5e");     // of v3, v5e and v5p
  EXPECT_EQ(closest_word("tpu", profiles), "tpu7x");  // cpu is one edit away, but shares no beginning
}

TEST(DidYouMean, TakesTheBeginningOfAWordWhereNothingElseIsNear) {
  EXPECT_EQ(closest_word("v5p-16", {"v5e", "v5p"}), "v5p");
  EXPECT_EQ(closest_word("H100-SXM5", {"a100", "h100"}), "h100");
  EXPECT_EQ(closest_word("gelu_tahn", {"gelu", "gelu_tanh"}), "gelu_tanh");
  EXPECT_EQ(closest_word("Xaxis", {"X"}), std::nullopt);
}

TEST(DidYouMean, DoesNotCompareVeryLongWords) {
  const std::string word(100, 'a');
  EXPECT_EQ(closest_word(word, {word + "b", std::string(99, 'a')}), std::string(99, 'a'));
  EXPECT_EQ(closest_word(word + "b", {word}), std::nullopt);
}

TEST(DidYouMean, PhraseCanFollowASentence) {
  EXPECT_EQ("there is no verb plna" + did_you_mean("plna", kVerbs), "there is no verb plna; did you mean plan?");
  EXPECT_EQ(did_you_mean("fly", kVerbs), "");
}

}  // namespace
}  // namespace meshmul
