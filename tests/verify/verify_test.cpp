#include "meshmul/verify.hpp"

#include <gmock/gmock.h>

#include "verify/alike.hpp"
#include "verify/schedules.hpp"

namespace meshmul {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Verify, ABarrierOnOneSharedCounterIsRejected) {
  EXPECT_THAT(testing::findings_of(testing::read_schedule("shared_barrier")),
              ElementsAre("well-formed: rank 2, lane compute, op 0 (line 25): raises met at rank 0, as rank 1, lane "
                          "compute does; a signal word has one writing lane (and 2 more like it)"));
}

TEST(Verify, GoodSchedulesHaveNoFindings) {
  for (const char* name : {"barrier_by_pairs", "all_gather_matmul", "ring_reduce_scatter"})
    EXPECT_THAT(testing::findings_of(testing::read_schedule(name)), IsEmpty()) << name;
}

TEST(Verify, TheRingWithoutCreditRaces) {
  const std::vector<std::string> findings = testing::findings_of(testing::read_schedule("ring_without_credit"));
  EXPECT_THAT(
      findings,
      Contains("race: rank 2, lane compute, op 5 (line 68): reads slot[0:2], and rank 1, lane compute, op 6 "
               "(line 52) writes slot[0:2]; both touch slot[0:2], and nothing orders the two (and 5 more like it)"));
  // In the order in which rank 1 runs ahead, the sum that was overwritten is missed.
  EXPECT_THAT(findings, Contains("coverage: rank 2, lane compute, op 5 (line 68): adds A[6:8] with U_X 0:2 to A[0:2] "
                                 "with U_X 2:3; expected the same elements (and 2 more like it)"));
}

TEST(Verify, ADeadlockIsReportedBeforeWhatItLeavesUndone) {
  Schedule schedule = testing::read_schedule("ring_reduce_scatter");
  schedule.ranks[1].lanes[0].ops.erase(schedule.ranks[1].lanes[0].ops.begin());
  EXPECT_THAT(testing::findings_of(schedule),
              ElementsAre("deadlock: rank 2, lane compute, op 4 (line 40): waits for arrived >= 2, which stands at 1; "
                          "no op raises it further"));
}

TEST(Verify, OfALongCycleTheEndsAreShown) {
  Schedule schedule;
  schedule.contract.mesh = Mesh{{"X", 20}};
  schedule.signals = {{"s"}};
  for (int rank = 0; rank < 20; ++rank)
    schedule.ranks.push_back({{{"compute", {Wait{0, 1}, Signal{(rank + 1) % 20, 0}}}}});
  const std::vector<std::string> findings = testing::findings_of(schedule);
  ASSERT_EQ(findings.size(), 1U);
  for (const char* part : {"rank 19, lane compute", "rank 16, lane compute", "and so on through 12 more lanes",
                           "rank 3, lane compute", "rank 0, lane compute, op 1"})
    EXPECT_THAT(findings.front(), ::testing::HasSubstr(part));
  EXPECT_THAT(findings.front(), ::testing::Not(::testing::HasSubstr("rank 15,")));
  EXPECT_THAT(findings.front(), ::testing::EndsWith("but stands behind this wait"));
}

TEST(Verify, AFindingWithoutAnOpNamesItsRule) {
  EXPECT_EQ(to_string(Finding{Rule::kCoverage, std::nullopt, "C is undefined"}, Schedule{}),
            "coverage: C is undefined");
}

TEST(Verify, TheFirstOfSeveralFindingsSaysHowManyOthersThereAre) {
  const Finding undefined{Rule::kCoverage, std::nullopt, "C is undefined"};
  const Finding missing{Rule::kWellFormed, std::nullopt, "D is held nowhere"};
  EXPECT_EQ(verification::first_and_others({undefined}, Schedule{}), "coverage: C is undefined");
  EXPECT_EQ(verification::first_and_others({undefined, missing}, Schedule{}),
            "coverage: C is undefined (1 other finding)");
  EXPECT_EQ(verification::first_and_others({missing, undefined, undefined}, Schedule{}),
            "well-formed: D is held nowhere (2 other findings)");
}

}  // namespace
}  // namespace meshmul
