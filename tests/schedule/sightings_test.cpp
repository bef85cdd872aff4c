#include "schedule/sightings.hpp"

#include <gtest/gtest.h>

namespace meshmul {
namespace {

bool everybody(EntryPlace) { return true; }

TEST(Sightings, AWordThatNobodyAwaitedIsUnseen) {
  Sightings sightings;
  EXPECT_FALSE(sightings.any(3, 0, everybody));
  sightings.add(3, {0, 5}, 2);
  EXPECT_FALSE(sightings.any(2, 0, everybody));
}

TEST(Sightings, WhoAwaitedALaterIncrementHasSeenTheEarlierOnes) {
  Sightings sightings;
  sightings.add(3, {0, 5}, 2);
  EXPECT_TRUE(sightings.any(3, 0, everybody));
  EXPECT_TRUE(sightings.any(3, 2, everybody));
  EXPECT_FALSE(sightings.any(3, 3, everybody));
}

TEST(Sightings, AsksAboutTheFirstEntryOfALaneThatHasSeenIt) {
  Sightings sightings;
  sightings.add(3, {7, 5}, 2);
  sightings.add(3, {7, 9}, 4);
  const auto is_first = [](EntryPlace place) { return place.track == 7 && place.entry == 5; };
  EXPECT_TRUE(sightings.any(3, 1, is_first));
  EXPECT_TRUE(sightings.any(3, 2, is_first));
  EXPECT_FALSE(sightings.any(3, 3, is_first));
}

TEST(Sightings, AsksAboutEachLane) {
  Sightings sightings;
  sightings.add(3, {7, 5}, 2);
  sightings.add(3, {8, 1}, 6);
  EXPECT_TRUE(sightings.any(3, 2, [](EntryPlace place) { return place.track == 7; }));
  EXPECT_TRUE(sightings.any(3, 2, [](EntryPlace place) { return place.track == 8; }));
  EXPECT_FALSE(sightings.any(3, 4, [](EntryPlace place) { return place.track == 7; }));
}

}  // namespace
}  // namespace meshmul
