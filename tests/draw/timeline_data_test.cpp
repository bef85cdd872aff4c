#include "draw/timeline_data.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "draw/two_ranks.hpp"

namespace meshmul::drawing {
namespace {

using meshmul::testing::two_ranks;
using meshmul::testing::two_ranks_timeline;
using nlohmann::json;

json ops_of(const Drawing& drawing) {
  JsonWriter writer;
  writer.begin_object();
  write_ops(writer, drawing);
  writer.end_object();
  return json::parse(writer.text());
}

json timeline_of(const Drawing& drawing) {
  JsonWriter writer;
  write_timeline(writer, drawing, *drawing.predicted);
  return json::parse(writer.text());
}

TEST(TimelineData, AnOpIsItsWordsItsBytesAndTheWayOfThem) {
  const Schedule schedule = two_ranks();
  const json data = ops_of({.schedule = &schedule});
  ASSERT_EQ(data["lanes"].size(), 3U);
  const json& ops = data["lanes"][0]["ops"];
  ASSERT_EQ(ops[0], 4);   // wait ready >= 1
  EXPECT_EQ(ops[5], 0);   // bytes
  ASSERT_EQ(ops[6], 10);  // put whole @1 [0:2] a [0:2] arrived got sent sent
  EXPECT_EQ(data["words"][ops[7].get<std::size_t>()], "put");
  EXPECT_EQ(data["words"][ops[9].get<std::size_t>()], "@1");
  EXPECT_EQ(ops[17], 8);  // bytes of two f32
  EXPECT_EQ(ops[18], 0);  // from
  EXPECT_EQ(ops[19], 1);  // to
}

TEST(TimelineData, LinesAreOneNumberWhereTheyFollow) {
  const Schedule schedule = two_ranks();
  EXPECT_EQ(ops_of({.schedule = &schedule})["lanes"][0]["line"], 16);
  Schedule apart = schedule;
  apart.ranks[0].lanes[0].lines = {16, 19, 20};
  EXPECT_EQ(ops_of({.schedule = &apart})["lanes"][0]["line"], json({16, 19, 20}));
}

TEST(TimelineData, ArrowsAreThoseWithBothEndsDrawn) {
  const Schedule schedule = two_ranks();
  EXPECT_EQ(ops_of({.schedule = &schedule})["arrows"], json({5, 0, 1, 2, 1, 6}));
  EXPECT_EQ(ops_of({.schedule = &schedule, .ranks = RankRange{0, 0}})["arrows"], json({1, 2}));
}

TEST(TimelineData, StartsCountFromTheOpInFrontInTheLane) {
  const Schedule schedule = two_ranks();
  const Timeline timeline = two_ranks_timeline();
  const json data = timeline_of({.schedule = &schedule, .predicted = &timeline});
  EXPECT_EQ(data["makespan"], 9'999);
  EXPECT_EQ(data["times"], json({0, 3500, 3500, 6499, 0, 1700, 0, 2000, 0, 2000, 2000, 1500, 0, 7999}));
  EXPECT_EQ(data["links"], json::parse(R"([["0 -> 1", 0, 1]])"));
  EXPECT_EQ(data["uses"], json({0, 1, 4000, 9000}));
  EXPECT_EQ(data["path"], json({0, 4, 0, 2000, 3, 5, 2000, 3500, 1, 1, 3500, 9999}));
}

TEST(TimelineData, WithFewerRanksOpsAreNumberedAnew) {
  const Schedule schedule = two_ranks();
  const Timeline timeline = two_ranks_timeline();
  const json data = timeline_of({.schedule = &schedule, .predicted = &timeline, .ranks = RankRange{1, 1}});
  EXPECT_EQ(data["times"], json({0, 2000, 2000, 1500, 0, 7999}));
  EXPECT_EQ(data["uses"], json::array());
  EXPECT_EQ(data["path"], json({0, 0, 0, 2000, 3, 1, 2000, 3500, 1, -1, 3500, 9999}));
}

}  // namespace
}  // namespace meshmul::drawing
