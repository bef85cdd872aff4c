// What all lanes but one read and write.

#include "schedule/other_lanes.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

Region rows(int rank, int buffer, std::int64_t begin, std::int64_t end) {
  return {rank, buffer, Box{{begin, end}, {0, 8}}};
}

TEST(OtherLanes, SeesLanesOfThisRankAndOthersButNotItsOwn) {
  const Schedule schedule = parse_schedule(R"(meshmul schedule 1
mesh X=2
requires get addressable strided
buffer a f32 [8, 8] symmetric
buffer b f32 [8, 8] symmetric
signal s
rank 0
  lane compute
    copy a[0:4, 0:8] b[0:4, 0:8]
  lane copy0
    get b[4:8, 0:8] a@1[0:4, 0:8] arrived s
rank 1
  lane compute
    reduce a@0[6:8, 0:8] b[0:2, 0:8]
)");
  const LaneAccesses accesses(schedule);
  const OtherLanes of_compute(accesses, 0, 0);
  EXPECT_FALSE(of_compute.touch(rows(0, 0, 0, 4)));
  EXPECT_FALSE(of_compute.touch(rows(0, 0, 4, 6)));
  // A reduction reads its destination too.
  EXPECT_TRUE(of_compute.read(rows(0, 0, 5, 7)));
  EXPECT_TRUE(of_compute.write(rows(0, 0, 7, 8)));
  EXPECT_TRUE(of_compute.write(rows(0, 1, 3, 5)));
  EXPECT_FALSE(of_compute.read(rows(0, 1, 0, 8)));
  EXPECT_TRUE(of_compute.read(rows(1, 0, 0, 1)));
  EXPECT_FALSE(of_compute.write(rows(1, 0, 0, 8)));
  const OtherLanes of_copy(accesses, 0, 1);
  EXPECT_TRUE(of_copy.write(rows(0, 0, 0, 1)));
  EXPECT_TRUE(of_copy.read(rows(0, 1, 0, 1)));
  EXPECT_FALSE(of_copy.touch(rows(0, 1, 4, 8)));
}

}  // namespace
}  // namespace meshmul
