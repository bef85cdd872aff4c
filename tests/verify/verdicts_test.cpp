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

/// A mutant, what verify says of it, and what it does.
struct Judged {
  std::string text;  ///< for messages
  Mutant mutant;
  std::vector<Finding> findings;
  Exploration found;
  bool race_free = false;

  bool says(Rule rule) const {
    return std::ranges::any_of(findings, [&](const Finding& finding) { return finding.rule == rule; });
  }
};

Judged judge(const Mutant& mutant) {
  Judged judged{mutant.what + "\n" + to_string(mutant.schedule), mutant, verify(mutant.schedule), {}, false};
  for (const Finding& finding : judged.findings) judged.text += "  " + to_string(finding, mutant.schedule) + "\n";
  if (judged.says(Rule::kWellFormed)) return judged;  // means nothing that could be run
  Explorer explorer(mutant.schedule);
  judged.found = explorer.explore(Pruning::kIndependent);
  judged.race_free = explorer.order().is_race_free();
  return judged;
}

/// All mutants of what the builders make for two and three ranks.
const std::vector<Judged>& judged_mutants() {
  static const std::vector<Judged> all = [] {
    std::vector<Judged> judged;
    for (const int ranks : {2, 3})
      for (const Algorithm algorithm : testing::kExplicitAlgorithms)
        for (const Plan& plan : testing::tiny_plans(ranks))
          for (const Mutant& mutant : testing::mutants_of(lower(plan, {algorithm}))) judged.push_back(judge(mutant));
    return judged;
  }();
  return all;
}

/// True if some increment is awaited by no wait.
bool leaves_increments(const Schedule& schedule) {
  std::map<std::pair<int, int>, std::uint64_t> raised;
  std::map<std::pair<int, int>, std::uint64_t> awaited;
  for (int rank = 0; rank < schedule.num_ranks(); ++rank)
    for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
      for (const Op& op : lane.ops) {
        const Effects effects = effects_of(op, rank);
        for (const Raise& raise : effects.raises) ++raised[{raise.rank, raise.signal}];
        if (!effects.wait) continue;
        std::uint64_t& most = awaited[{rank, effects.wait->signal}];
        most = std::max(most, effects.wait->threshold);
      }
  return raised != awaited;
}

TEST(Verdicts, find_nothing_in_what_the_builders_make) {
  for (const int ranks : {2, 3, 4})
    for (const Algorithm algorithm : testing::kExplicitAlgorithms)
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

TEST(Verdicts, say_nothing_exactly_where_every_order_is_right_if_there_is_no_race) {
  int right = 0;
  int wrong = 0;
  for (const Judged& judged : judged_mutants()) {
    if (!judged.race_free || judged.found.some_stall) continue;
    EXPECT_EQ(judged.found.num_outcomes, 1U) << judged.text;
    EXPECT_EQ(judged.findings.empty(), judged.found.some_right) << judged.text;
    ++(judged.found.some_right ? right : wrong);
  }
  EXPECT_GT(right, 100);
  EXPECT_GT(wrong, 100);
}

TEST(Verdicts, of_coverage_hold_for_some_order_where_there_is_a_race) {
  int found = 0;
  for (const Judged& judged : judged_mutants()) {
    if (judged.race_free || !judged.says(Rule::kCoverage)) continue;
    EXPECT_TRUE(judged.found.some_wrong) << judged.text;
    ++found;
  }
  EXPECT_GT(found, 100);
}

TEST(Verdicts, no_wait_of_the_builders_is_redundant) {
  int deleted = 0;
  for (const Judged& judged : judged_mutants()) {
    if (!judged.mutant.deletes_wait) continue;
    ++deleted;
    EXPECT_TRUE(!judged.race_free || leaves_increments(judged.mutant.schedule)) << judged.text;
  }
  EXPECT_GT(deleted, 100);
}

}  // namespace
}  // namespace meshmul
