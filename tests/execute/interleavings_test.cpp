// The reference executor's machine in every order of events: schedules that the builders make end alike and right in all
// of them, and known faults show.

#include "interleavings.hpp"

#include <gmock/gmock.h>

#include <string>

#include "meshmul/lower.hpp"
#include "tiny_schedules.hpp"

namespace meshmul {
namespace {

using testing::EventOrder;
using testing::Exploration;
using testing::Explorer;
using testing::Pruning;
using testing::tiny_schedules;

/// Ring ReduceScatter with one slot for what comes from the neighbour, and nothing that says when the slot is free.
/// Rank r begins with block r - 1 and ends with block r.
std::string ring_without_credit(int ranks) {
  const std::string n = std::to_string(ranks);
  std::string text = "meshmul schedule 1\nmesh X=" + n + "\nrequires nothing\nstatement f32 A[I=" + n +
                     "]{U_X} -> f32 A[I=" + n + "_X]\nbuffer a f32 [" + n +
                     "] symmetric\nbuffer slot f32 [1] symmetric\nbuffer out f32 [1] symmetric\nbuffer carry f32 [" +
                     n + "] symmetric\nsignal here\n";
  const auto block = [](const std::string& buffer, int i) {
    return buffer + "[" + std::to_string(i) + ":" + std::to_string(i + 1) + "]";
  };
  for (int r = 0; r < ranks; ++r) text += "input A rank " + std::to_string(r) + " [0:" + n + "] at a[0:" + n + "]\n";
  for (int r = 0; r < ranks; ++r) text += "output A rank " + std::to_string(r) + " " + block("", r) + " at out[0:1]\n";
  for (int r = 0; r < ranks; ++r) {
    const std::string next = std::to_string((r + 1) % ranks);
    text += "rank " + std::to_string(r) + "\n  lane compute\n";
    for (int hop = 0; hop < ranks; ++hop) {
      const int sent = (r - 1 - hop + 2 * ranks) % ranks;
      const bool last = hop == ranks - 1;
      const std::string sum = last ? "out[0:1]" : block("carry", hop);
      text += "    copy " + sum + " " + block("a", sent) + "\n";
      if (hop > 0) text += "    wait here >= " + std::to_string(hop) + "\n    reduce " + sum + " slot[0:1]\n";
      if (!last) text += "    put slot@" + next + "[0:1] " + sum + " arrived here\n";
    }
  }
  return text;
}

/// Rank 0 overwrites x, which its put may not have read yet.
constexpr const char* kOverwriteAfterPut = R"(
meshmul schedule 1
mesh X=2
requires nothing
statement f32 A[I=2_X] -> f32 A[I=2]
buffer x f32 [2] symmetric
buffer y f32 [2] symmetric
signal here
input A rank 0 [0:1] at x[0:1]
input A rank 1 [1:2] at y[1:2]
output A rank 1 [0:2] at y[0:2]
rank 0
  lane compute
    put y@1[0:1] x[0:1] arrived here
    map x[0:1] zero
rank 1
  lane compute
    wait here >= 1
)";

/// Both ranks wait for what the other does only afterwards.
constexpr const char* kStall = R"(
meshmul schedule 1
mesh X=2
requires nothing
statement f32 A[I=2_X] -> f32 A[I=2_X]
buffer x f32 [1] symmetric
buffer y f32 [1] symmetric
signal go
input A rank 0 [0:1] at x[0:1]
input A rank 1 [1:2] at x[0:1]
output A rank 0 [0:1] at y[0:1]
output A rank 1 [1:2] at y[0:1]
rank 0
  lane copy0
    copy y[0:1] x[0:1]
  lane compute
    wait go >= 1
    signal 1 go
rank 1
  lane compute
    copy y[0:1] x[0:1]
    wait go >= 1
    signal 0 go
)";

/// Two lanes write one element, in either order.
constexpr const char* kTwoWriters = R"(
meshmul schedule 1
mesh X=1
requires nothing
statement f32 A[I=2] -> f32 A[I=2]
buffer x f32 [2] symmetric
buffer y f32 [2] symmetric
input A rank 0 [0:2] at x[0:2]
output A rank 0 [0:2] at y[0:2]
rank 0
  lane copy0
    copy y[0:2] x[0:2]
  lane compute
    copy y[1:2] x[0:1]
)";

TEST(Interleavings, of_what_the_builders_make_on_two_ranks_all_end_right_tried_without_pruning) {
  for (const Schedule& schedule : tiny_schedules(2)) {
    for (const int num_pieces : {1, 2}) {
      const Exploration found = Explorer(schedule, num_pieces).explore(Pruning::kNone);
      EXPECT_TRUE(found.some_right && !found.some_wrong && !found.some_stall && !found.races) << to_string(schedule);
      EXPECT_EQ(found.num_outcomes, 1U);
    }
  }
}

TEST(Interleavings, of_what_the_builders_make_on_up_to_four_ranks_all_end_right) {
  for (const int ranks : {2, 3, 4})
    for (const Schedule& schedule : tiny_schedules(ranks)) {
      const Exploration found = Explorer(schedule).explore(Pruning::kIndependent);
      EXPECT_TRUE(found.some_right && !found.some_wrong && !found.some_stall && !found.races) << to_string(schedule);
    }
}

TEST(Interleavings, show_the_race_of_a_ring_without_credits_from_three_ranks_on) {
  for (const int ranks : {2, 3}) {
    const Schedule schedule = parse_schedule(ring_without_credit(ranks));
    const Exploration found = Explorer(schedule).explore(Pruning::kIndependent);
    EXPECT_TRUE(found.some_right && !found.some_stall);
    EXPECT_EQ(found.some_wrong, ranks == 3);
    EXPECT_EQ(found.races, ranks == 3);
  }
  const Schedule schedule = parse_schedule(ring_without_credit(4));
  EXPECT_FALSE(EventOrder(schedule).is_race_free());
}

TEST(Interleavings, end_in_the_same_ways_with_and_without_pruning) {
  const std::string schedules[] = {ring_without_credit(2), kOverwriteAfterPut, kStall, kTwoWriters};
  for (const std::string& text : schedules) {
    const Schedule schedule = parse_schedule(text);
    for (const int num_pieces : {1, 2}) {
      Explorer explorer(schedule, num_pieces);
      const Exploration all = explorer.explore(Pruning::kNone);
      const Exploration pruned = explorer.explore(Pruning::kIndependent);
      EXPECT_EQ(all.some_stall, pruned.some_stall) << text;
      EXPECT_EQ(all.some_right, pruned.some_right) << text;
      EXPECT_EQ(all.some_wrong, pruned.some_wrong) << text;
      EXPECT_EQ(all.num_outcomes, pruned.num_outcomes) << text;
      EXPECT_EQ(all.races, !explorer.order().is_race_free()) << text;
      EXPECT_LE(pruned.num_states, all.num_states);
    }
  }
}

}  // namespace
}  // namespace meshmul
