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
  std::string text;  ///< for messages
  std::vector<Finding> findings;
  Exploration found;

  bool says(Rule rule) const {
    return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.rule == rule; });
  }
};

/// All mutants of what the builders make for two and three ranks.
const std::vector<Judged>& judged_mutants() {
  static const std::vector<Judged> all = [] {
    std::vector<Judged> judged;
    for (const int ranks : {2, 3})
      for (const Algorithm algorithm : algorithms())
        for (const Plan& plan : testing::tiny_plans(ranks))
          for (const Mutant& mutant : testing::Mutator(lower(plan, {algorithm})).all()) {
            Judged one{mutant.what + "\n" + to_string(mutant.schedule), verify(mutant.schedule), {}};
            if (one.says(Rule::kWellFormed)) continue;
            for (const Finding& finding : one.findings) one.text += "  " + to_string(finding, mutant.schedule) + "\n";
            one.found = Explorer(mutant.schedule).explore(Pruning::kIndependent);
            judged.push_back(std::move(one));
          }
    return judged;
  }();
  return all;
}

TEST(Verdicts, find_nothing_in_what_the_builders_make) {
  for (const int ranks : {2, 3, 4})
    for (const Algorithm algorithm : algorithms())
      for (const Plan& plan : testing::tiny_plans(ranks)) {
        const Schedule schedule = lower(plan, {algorithm});
        for (const Finding& finding : verify(schedule))
          ADD_FAILURE() << to_string(schedule) << to_string(finding, schedule);
      }
}

TEST(Verdicts, say_deadlock_exactly_where_every_order_stalls) {
  int stalls = 0;
  for (const Judged& judged : judged_mutants()) {
    EXPECT_FALSE(judged.found.some_stall && judged.found.some_finish) << judged.text;
    EXPECT_EQ(judged.says(Rule::kDeadlock), judged.found.some_stall) << judged.text;
    if (judged.found.some_stall) ++stalls;
  }
  EXPECT_GT(stalls, 100);
}

TEST(Verdicts, say_race_exactly_where_some_order_has_one) {
  int races = 0;
  for (const Judged& judged : judged_mutants()) {
    if (judged.found.some_stall) continue;
    EXPECT_EQ(judged.says(Rule::kRace), judged.found.races) << judged.text;
    if (judged.found.races) ++races;
  }
  EXPECT_GT(races, 100);
}

TEST(Verdicts, say_nothing_of_values_exactly_where_every_order_ends_alike_and_right) {
  int right = 0;
  int wrong = 0;
  for (const Judged& judged : judged_mutants()) {
    if (judged.found.some_stall || judged.found.races) continue;
    EXPECT_EQ(judged.found.num_outcomes, 1U) << judged.text;
    EXPECT_EQ(!judged.says(Rule::kCoverage), judged.found.some_right) << judged.text;
    ++(judged.found.some_right ? right : wrong);
  }
  EXPECT_GT(right, 50);
  EXPECT_GT(wrong, 100);
}

TEST(Verdicts, of_coverage_hold_for_some_order_where_there_is_a_race) {
  int found = 0;
  for (const Judged& judged : judged_mutants()) {
    if (!judged.found.races || !judged.says(Rule::kCoverage)) continue;
    EXPECT_TRUE(judged.found.some_wrong) << judged.text;
    ++found;
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace meshmul
