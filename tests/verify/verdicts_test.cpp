// What verify says of small faults, against what they do when every order of events is tried.

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "execute/interleavings.hpp"
#include "execute/tiny_schedules.hpp"
#include "meshmul/verify.hpp"
#include "mutants.hpp"

namespace meshmul {
namespace {

using testing::Exploration;
using testing::Explorer;
using testing::Mutant;
using testing::Pruning;

/// A mutant that can be run, what verify says of it, and what it does.
struct Judged {
  const Mutant& mutant;
  std::vector<Finding> findings;
  Exploration found;

  bool says(Rule rule) const {
    return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.rule == rule; });
  }
  /// For messages.
  std::string text() const {
    std::string text = mutant.what + "\n" + to_string(mutant.schedule);
    for (const Finding& finding : findings) text += "  " + to_string(finding, mutant.schedule) + "\n";
    return text;
  }
};

/// How many mutants end in which way.
struct Tally {
  int stalls = 0, races = 0, races_with_wrong_values = 0, right = 0, wrong = 0;
};

/// A deadlock is said exactly where every order stalls; a race exactly where some order has one; nothing of values exactly
/// where every order ends alike and right. Of values where there is a race, what is said holds for some order.
void check(const Judged& judged, Tally& tally) {
  const Exploration& found = judged.found;
  EXPECT_FALSE(found.some_stall && found.some_finish) << judged.text();
  EXPECT_EQ(judged.says(Rule::kDeadlock), found.some_stall) << judged.text();
  if (found.some_stall) {
    ++tally.stalls;
    return;
  }
  EXPECT_EQ(judged.says(Rule::kRace), found.races) << judged.text();
  if (found.races) {
    ++tally.races;
    if (!judged.says(Rule::kCoverage)) return;
    EXPECT_TRUE(found.some_wrong) << judged.text();
    ++tally.races_with_wrong_values;
    return;
  }
  EXPECT_EQ(found.num_outcomes, 1U) << judged.text();
  EXPECT_EQ(!judged.says(Rule::kCoverage), found.some_right) << judged.text();
  ++(found.some_right ? tally.right : tally.wrong);
}

class Verdicts : public ::testing::TestWithParam<int> {};

TEST_P(Verdicts, find_nothing_in_what_the_builders_make) {
  for (const Schedule& schedule : testing::tiny_schedules(GetParam()))
    for (const Finding& finding : verify(schedule))
      ADD_FAILURE() << to_string(schedule) << to_string(finding, schedule);
}

TEST_P(Verdicts, on_mutants_are_what_they_do_in_every_order) {
  // Sanitizers take a part of those of four ranks, of which there are many.
  const std::size_t step = GetParam() == 4 ? MESHMUL_RANDOM_CASE_DIVISOR : 1;
  Tally tally;
  for (const Schedule& schedule : testing::tiny_schedules(GetParam())) {
    for (const Mutant& mutant : testing::Mutator(schedule, step).all()) {
      Judged judged{mutant, verify(mutant.schedule), {}};
      if (judged.says(Rule::kWellFormed)) continue;
      judged.found = Explorer(mutant.schedule).explore(Pruning::kIndependent);
      check(judged, tally);
    }
  }
  EXPECT_GT(tally.stalls, 50);
  EXPECT_GT(tally.races, 50);
  EXPECT_GT(tally.races_with_wrong_values, 20);
  EXPECT_GT(tally.right, 20);
  EXPECT_GT(tally.wrong, 50);
}

INSTANTIATE_TEST_SUITE_P(OfRanks, Verdicts, ::testing::Values(2, 3, 4));

}  // namespace
}  // namespace meshmul
