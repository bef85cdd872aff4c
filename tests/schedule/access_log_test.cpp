#include "schedule/access_log.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::FieldsAre;
using ::testing::IsEmpty;

Region at(std::int64_t begin, std::int64_t end, int rank = 0) { return {rank, 4, Box{{begin, end}}}; }
Effects reading(const Region& region) { return {{region}, {}, {}, {}, false}; }
Effects writing(const Region& region) { return {{}, {region}, {}, {}, false}; }

TEST(AccessLog, ReadsDoNotConflict) {
  AccessLog log;
  log.add(0, reading(at(0, 4)));
  EXPECT_THAT(log.add(1, reading(at(0, 4))), IsEmpty());
}

TEST(AccessLog, AReadNeedsTheWritesThatItOverlaps) {
  AccessLog log;
  log.add(0, writing(at(0, 4)));
  log.add(1, writing(at(4, 8)));
  log.add(2, writing(at(8, 12)));
  EXPECT_THAT(log.add(3, reading(at(3, 6))),
              ElementsAre(FieldsAre(1, Event::kWriteVisible, 4), FieldsAre(0, Event::kWriteVisible, 4)));
}

TEST(AccessLog, AWriteNeedsEarlierReadsOnlyToBeDone) {
  AccessLog log;
  log.add(0, reading(at(0, 4)));
  EXPECT_THAT(log.add(1, writing(at(2, 6))), ElementsAre(FieldsAre(0, Event::kReadDone, 4)));
}

TEST(AccessLog, OtherRanksHaveOtherMemory) {
  AccessLog log;
  log.add(0, writing(at(0, 4, 0)));
  EXPECT_THAT(log.add(1, writing(at(0, 4, 1))), IsEmpty());
}

TEST(AccessLog, AWriteStandsForWhatItCovers) {
  AccessLog log;
  log.add(0, writing(at(0, 4)));
  log.add(1, reading(at(0, 6)));
  log.add(2, writing(at(0, 5)));
  EXPECT_THAT(log.add(3, writing(at(0, 6))),
              ElementsAre(FieldsAre(2, Event::kWriteVisible, 4), FieldsAre(1, Event::kReadDone, 4)));
}

TEST(AccessLog, AWriteStandsForTheEndThatItCovers) {
  AccessLog log;
  log.add(0, writing(at(0, 8)));
  log.add(1, writing(at(2, 8)));
  EXPECT_THAT(log.add(2, reading(at(2, 8))), ElementsAre(FieldsAre(1, Event::kWriteVisible, 4)));
  EXPECT_THAT(log.add(3, reading(at(1, 8))),
              ElementsAre(FieldsAre(1, Event::kWriteVisible, 4), FieldsAre(0, Event::kWriteVisible, 4)));
}

TEST(AccessLog, OfTwoNeedsOfOneStepTheStrongerStays) {
  AccessLog log;
  log.add(0, {{at(0, 4)}, {at(4, 8)}, {}, {}, true});
  EXPECT_THAT(log.add(1, writing(at(0, 8))), ElementsAre(FieldsAre(0, Event::kWriteVisible, 4)));
}

}  // namespace
}  // namespace meshmul
