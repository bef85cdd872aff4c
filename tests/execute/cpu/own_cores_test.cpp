#include "execute/cpu/own_cores.hpp"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(OwnCores, RanksDivideTheCoresWithoutMeeting) {
  EXPECT_THAT(cores_of_rank({3, 4, 7, 8, 9}, 0, 2), ElementsAre(3, 4));
  EXPECT_THAT(cores_of_rank({3, 4, 7, 8, 9}, 1, 2), ElementsAre(7, 8, 9));
  EXPECT_THAT(cores_of_rank({0, 1}, 1, 2), ElementsAre(1));
}

TEST(OwnCores, RanksThatFollowEachOtherShareACoreWhereEachHasAsMany) {
  EXPECT_THAT(cores_of_rank({3, 5}, 0, 4), ElementsAre(3));
  EXPECT_THAT(cores_of_rank({3, 5}, 1, 4), ElementsAre(3));
  EXPECT_THAT(cores_of_rank({3, 5}, 2, 4), ElementsAre(5));
  EXPECT_THAT(cores_of_rank({3, 5}, 3, 4), ElementsAre(5));
  EXPECT_THAT(cores_of_rank({3}, 1, 2), ElementsAre(3));
}

TEST(OwnCores, ASingleRankAndRanksThatCannotBeSharedOutEvenlyHaveThemAll) {
  EXPECT_THAT(cores_of_rank({0, 1, 2}, 0, 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(cores_of_rank({0, 1}, 2, 3), ElementsAre(0, 1));
  EXPECT_THAT(cores_of_rank({}, 0, 2), IsEmpty());
}

TEST(OwnCores, ThereIsOneForEachOfAsManyRanksAsThereAreCores) {
  const auto count = static_cast<int>(allowed_cores().size());
  EXPECT_TRUE(has_own_cores(1));
  EXPECT_TRUE(has_own_cores(count));
  EXPECT_EQ(has_own_cores(count + 1), count == 0);
}

TEST(OwnCores, AThreadKeepsToItsPartOfWhatItMayRunOn) {
  const std::vector<int> before = allowed_cores();
  ASSERT_FALSE(before.empty());
  const int num_ranks = static_cast<int>(before.size());
  std::vector<int> inside;
  std::thread([&] {
    keep_to_own_cores(num_ranks - 1, num_ranks);
    inside = allowed_cores();
  }).join();
  EXPECT_THAT(inside, ElementsAre(before.back()));
  EXPECT_EQ(allowed_cores(), before);
}

}  // namespace
}  // namespace meshmul
