#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "draw/sample.hpp"
#include "draw/two_ranks.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using testing::Sample;
using ::testing::UnorderedElementsAre;

json events_of(const Drawing& drawing) { return json::parse(trace_json(drawing)).at("traceEvents"); }

TEST(Trace, SaysWhatItIsIfThatIsNotAll) {
  const Schedule schedule = testing::two_ranks();
  const Timeline timeline = testing::two_ranks_timeline();
  Drawing drawing{.schedule = &schedule, .predicted = &timeline};
  EXPECT_FALSE(json::parse(trace_json(drawing)).contains("otherData"));
  drawing.note = "one of 2";
  EXPECT_EQ(json::parse(trace_json(drawing)).at("otherData").at("note"), "one of 2");
}

std::vector<json> with_phase(const json& events, std::string_view phase) {
  std::vector<json> found;
  for (const json& event : events)
    if (event.at("ph") == phase) found.push_back(event);
  return found;
}

/// By thread, its name and that of its process, as viewers show them.
std::map<std::int64_t, std::string> thread_names(const json& events) {
  std::map<std::int64_t, std::string> processes, threads;
  for (const json& event : with_phase(events, "M")) {
    if (event.at("name") == "process_name") processes[event.at("pid")] = event.at("args").at("name");
    if (event.at("name") == "thread_name")
      threads[event.at("tid")] = processes.at(event.at("pid")) + "/" + std::string(event.at("args").at("name"));
  }
  return threads;
}

std::int64_t ns(const json& us) { return static_cast<std::int64_t>(us.get<double>() * 1000 + 0.5); }

/// What the format and its viewers ask for, of any trace.
void expect_well_formed(const json& events) {
  const std::map<std::int64_t, std::string> names = thread_names(events);
  std::map<std::int64_t, std::int64_t> free_at;  // by thread
  std::map<std::int64_t, std::vector<json>> slices;
  for (const json& slice : with_phase(events, "X")) {
    const std::int64_t thread = slice.at("tid");
    EXPECT_TRUE(names.contains(thread)) << slice;
    EXPECT_GE(slice.at("pid"), 1) << slice;
    EXPECT_GE(ns(slice.at("ts")), free_at[thread]) << "overlaps the slice in front of it: " << slice;
    EXPECT_GE(slice.at("dur"), 0.0) << slice;
    free_at[thread] = ns(slice.at("ts")) + ns(slice.at("dur"));
    slices[thread].push_back(slice);
  }
  std::map<std::int64_t, json> begun;
  for (const json& event : events) {
    const std::string phase = event.at("ph");
    EXPECT_TRUE(phase == "M" || phase == "X" || phase == "s" || phase == "f") << event;
    if (phase != "s" && phase != "f") continue;
    const auto encloses = [&](const json& slice) {
      return ns(slice.at("ts")) <= ns(event.at("ts")) && ns(event.at("ts")) < ns(slice.at("ts")) + ns(slice.at("dur"));
    };
    const std::vector<json>& of_thread = slices[event.at("tid")];
    EXPECT_EQ(std::count_if(of_thread.begin(), of_thread.end(), encloses), 1) << event;
    if (phase == "s") {
      EXPECT_TRUE(begun.emplace(event.at("id"), event).second) << event;
    } else {
      ASSERT_TRUE(begun.contains(event.at("id"))) << event;
      EXPECT_EQ(event.at("bp"), "e");
      EXPECT_GE(event.at("ts"), begun[event.at("id")].at("ts"));
      begun.erase(event.at("id"));
    }
  }
  EXPECT_TRUE(begun.empty()) << "every arrow ends";
}

TEST(Trace, HasAProcessForEachRankAndAThreadForEachLane) {
  const Schedule schedule = testing::two_ranks();
  const Timeline timeline = testing::two_ranks_timeline();
  const json events = events_of({.schedule = &schedule, .predicted = &timeline});
  expect_well_formed(events);
  std::vector<std::string> names;
  for (const auto& [thread, name] : thread_names(events)) names.push_back(name);
  EXPECT_THAT(names,
              UnorderedElementsAre("rank 0 (X=0)/copy0", "rank 0 (X=0)/copy0 under way 1", "rank 0 (X=0)/compute",
                                   "rank 1 (X=1)/compute", "rank 1 (X=1)/compute under way 1", "links/0 -> 1",
                                   "critical path/critical path"));
}

TEST(Trace, ASliceHasItsOpLineBytesAndTimes) {
  const Schedule schedule = testing::two_ranks();
  const Timeline timeline = testing::two_ranks_timeline();
  const std::string text = trace_json({.schedule = &schedule, .predicted = &timeline});
  EXPECT_THAT(
      text,
      ::testing::HasSubstr(
          R"({"ph":"X","name":"put to 1","pid":1,"tid":2,"ts":0.003,"dur":0.006,"args":{"op":"put whole@1[0:2] a[0:2] arrived got sent sent","line":17,"bytes":8}})"));
}

TEST(Trace, ArrowsLieInsideTheirSlices) {
  const Schedule schedule = testing::two_ranks();
  const Timeline timeline = testing::two_ranks_timeline();
  const json events = events_of({.schedule = &schedule, .predicted = &timeline});
  EXPECT_EQ(with_phase(events, "s").size(), 3U);  // ready, sent, got
  EXPECT_EQ(with_phase(events, "f").size(), 3U);
  // `sent` rises before its put ends: the arrow leaves when it arrives.
  EXPECT_EQ(ns(with_phase(events, "s")[1].at("ts")), 4);
  EXPECT_EQ(ns(with_phase(events, "f")[1].at("ts")), 4);
}

TEST(Trace, RoundsEachTimeDownSoThatNeighboursDoNotOverlap) {
  const Schedule schedule = testing::two_ranks();
  Timeline timeline = testing::two_ranks_timeline();
  timeline.spans[0].end_ps = 3'999;
  timeline.spans[2] = {{0, 0, 2}, SpanKind::kWait, 0, 3'999, 5'001};
  expect_well_formed(events_of({.schedule = &schedule, .predicted = &timeline}));
}

TEST(Trace, WhatTakesNoTimeHasNoArrow) {
  const Schedule schedule = testing::two_ranks();
  Timeline timeline = testing::two_ranks_timeline();
  timeline.spans[2].start_ps = timeline.spans[2].end_ps = 5'200;
  const json events = events_of({.schedule = &schedule, .predicted = &timeline});
  expect_well_formed(events);
  EXPECT_EQ(with_phase(events, "s").size(), 2U);
}

TEST(Trace, OpsOfALaneThatOverlapGetAThreadMore) {
  const Schedule schedule = testing::two_ranks();
  Timeline timeline = testing::two_ranks_timeline();
  timeline.spans[2].start_ps = 1'000;  // begins before the wait in front of it has passed
  const json events = events_of({.schedule = &schedule, .predicted = &timeline});
  expect_well_formed(events);
  bool found = false;
  for (const auto& [thread, name] : thread_names(events)) found |= name == "rank 0 (X=0)/copy0 2";
  EXPECT_TRUE(found);
}

TEST(Trace, PredictedAndMeasuredHaveProcessesOfTheirOwn) {
  const Sample sample = testing::small_sample();
  const json events = events_of(sample.both());
  expect_well_formed(events);
  std::set<std::string> processes;
  for (const json& event : with_phase(events, "M")) {
    const bool names_process = event.at("name") == "process_name";
    EXPECT_TRUE(!names_process || processes.insert(event.at("args").at("name")).second) << event;
  }
  EXPECT_THAT(processes, UnorderedElementsAre("predicted rank 0 (X=0, Y=0)", "predicted rank 1 (X=0, Y=1)",
                                              "predicted rank 2 (X=1, Y=0)", "predicted rank 3 (X=1, Y=1)",
                                              "predicted links", "predicted critical path",
                                              "measured rank 0 (X=0, Y=0)", "measured rank 1 (X=0, Y=1)",
                                              "measured rank 2 (X=1, Y=0)", "measured rank 3 (X=1, Y=1)"));
  EXPECT_EQ(with_phase(events, "X").size(), 2 * sample.predicted.spans.size() + sample.predicted.link_uses.size() +
                                                sample.predicted.critical_path.size());
}

TEST(Trace, IsWellFormedForEveryAlgorithmAndNetwork) {
  for (const Algorithm algorithm : {Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays})
    for (const std::string_view hardware : {"v5p", "h100"}) {
      const Sample sample =
          testing::sample("f32 A[I=60_X, J=36_Y] * B[J=36_Y, K=20] -> C[I, K_X]", "X=4,Y=2", hardware, algorithm);
      expect_well_formed(events_of(sample.drawing()));
    }
}

TEST(Trace, EscapesNames) {
  Schedule schedule = testing::two_ranks();
  schedule.ranks[0].lanes[0].name = "a\"\\<b";
  Timeline timeline = testing::two_ranks_timeline();
  timeline.links[0].name = "\xFF\n";
  const json events = events_of({.schedule = &schedule, .predicted = &timeline});
  EXPECT_EQ(thread_names(events).begin()->second, "rank 0 (X=0)/a\"\\<b");
}

TEST(Trace, ShowsTheRanksAskedFor) {
  const Sample sample = testing::small_sample();
  Drawing drawing = sample.drawing();
  drawing.ranks = RankRange{1, 2};
  const json events = events_of(drawing);
  expect_well_formed(events);
  for (const auto& [thread, name] : thread_names(events)) {
    EXPECT_FALSE(name.starts_with("rank 0")) << name;
    EXPECT_FALSE(name.starts_with("rank 3")) << name;
  }
}

TEST(Trace, NeedsATimeline) {
  const Schedule schedule = testing::two_ranks();
  EXPECT_EQ(testing::message_of([&] { trace_json({.schedule = &schedule}); }),
            "a trace shows timelines, and none is given");
}

}  // namespace
}  // namespace meshmul
