#include "plan/unbeaten.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

using Priced = std::pair<double, int>;  // seconds, bytes

std::vector<Priced> unbeaten_of(std::vector<Priced> items) {
  return unbeaten(
      std::move(items), [](const Priced& item) { return item.first; }, [](const Priced& item) { return item.second; });
}

TEST(Unbeaten, KeepsWhatTakesLessOfEither) {
  EXPECT_THAT(unbeaten_of({{3, 10}, {1, 30}, {2, 20}}), ElementsAre(Pair(1, 30), Pair(2, 20), Pair(3, 10)));
}

TEST(Unbeaten, DropsWhatTakesMoreOfBoth) {
  EXPECT_THAT(unbeaten_of({{1, 30}, {2, 40}, {2, 20}, {3, 20}}), ElementsAre(Pair(1, 30), Pair(2, 20)));
  EXPECT_THAT(unbeaten_of({{2, 20}, {2, 20}}), ElementsAre(Pair(2, 20)));
}

TEST(Unbeaten, TakesTheSmallerOfTwoThatDifferByRounding) {
  EXPECT_THAT(unbeaten_of({{1, 30}, {1 + 1e-15, 20}}), ElementsAre(Pair(1 + 1e-15, 20)));
  EXPECT_THAT(unbeaten_of({{1, 30}, {1 + 0x1p-39, 20}}), ElementsAre(Pair(1 + 0x1p-39, 20)));  // of 40 bits
  EXPECT_THAT(unbeaten_of({{1, 30}, {1 + 1e-9, 20}}), ElementsAre(Pair(1, 30), Pair(1 + 1e-9, 20)));
}

TEST(Unbeaten, OfNothingIsNothing) { EXPECT_TRUE(unbeaten_of({}).empty()); }

}  // namespace
}  // namespace meshmul
