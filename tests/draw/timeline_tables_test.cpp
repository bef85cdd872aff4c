#include "draw/timeline_tables.hpp"

#include <gmock/gmock.h>

#include "draw/sample.hpp"
#include "draw/two_ranks.hpp"

namespace meshmul::drawing {
namespace {

using meshmul::testing::two_ranks;
using meshmul::testing::two_ranks_timeline;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> titles(const std::vector<Table>& tables) {
  std::vector<std::string> titles;
  for (const Table& table : tables) titles.push_back(table.title);
  return titles;
}

TEST(TimelineTables, SayWhatATimelineAddsUpTo) {
  const Schedule schedule = two_ranks();
  const Timeline timeline = two_ranks_timeline();
  const std::vector<Table> tables = timeline_tables({.schedule = &schedule, .predicted = &timeline});
  ASSERT_THAT(titles(tables), ElementsAre("Duration", "Critical path, predicted", "Lanes, predicted",
                                          "Busiest links, predicted", "Ranks, predicted"));
  EXPECT_THAT(tables[0].rows, ElementsAre(ElementsAre("predicted", "9.999 ns")));
  EXPECT_THAT(tables[1].rows, ElementsAre(ElementsAre("products, copies, additions", "2 ns", "20.0 %"),
                                          ElementsAre("bytes on links", "6.499 ns", "65.0 %"),
                                          ElementsAre("hops of bytes", "0 s", "0.0 %"),
                                          ElementsAre("hops of signals", "1.5 ns", "15.0 %")));
  EXPECT_THAT(tables[3].rows, ElementsAre(ElementsAre("0 -> 1", "5 ns", "50.0 %")));
  EXPECT_THAT(tables[4].rows, ElementsAre(ElementsAre("0", "9.999 ns", "2 ns", "7.999 ns"),
                                          ElementsAre("1", "9.999 ns", "2 ns", "7.999 ns")));
}

TEST(TimelineTables, CompareMeasuredWithPredicted) {
  const meshmul::testing::Sample sample = meshmul::testing::small_sample();
  const std::vector<Table> tables = timeline_tables(sample.both());
  EXPECT_EQ(tables[0].rows[2], (std::vector<std::string>{"measured / predicted", "1.250"}));
  EXPECT_THAT(titles(tables),
              ElementsAre("Duration", "Critical path, predicted", "Lanes, predicted", "Busiest links, predicted",
                          "Ranks, predicted", "Lanes, measured", "Ranks, measured"));
}

TEST(TimelineTables, ListTheRanksThatAreDrawn) {
  const Schedule schedule = two_ranks();
  const Timeline timeline = two_ranks_timeline();
  const std::vector<Table> tables =
      timeline_tables({.schedule = &schedule, .predicted = &timeline, .ranks = RankRange{1, 1}});
  ASSERT_EQ(tables.back().rows.size(), 1U);
  EXPECT_EQ(tables.back().rows[0][0], "1");
}

TEST(TimelineTables, AreNoneWithoutATimeline) {
  const Schedule schedule = two_ranks();
  EXPECT_THAT(timeline_tables({.schedule = &schedule}), IsEmpty());
}

}  // namespace
}  // namespace meshmul::drawing
