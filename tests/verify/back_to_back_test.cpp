// What is said of two runs back to back, against the order of all events of both, written out.

#include <gmock/gmock.h>

#include "execute/event_order.hpp"
#include "execute/tiny_schedules.hpp"
#include "mutants.hpp"
#include "two_runs.hpp"
#include "verify/schedules.hpp"

namespace meshmul {
namespace {

bool says(const std::vector<Finding>& findings, Rule rule) {
  return std::ranges::any_of(findings, [rule](const Finding& finding) { return finding.rule == rule; });
}

/// Checks one schedule whose single runs have neither deadlocks nor races. Returns whether two runs have none.
bool check(const Schedule& schedule, const std::vector<Finding>& findings) {
  const bool is_race_free = testing::EventOrder(testing::TwoRuns(schedule).build()).is_race_free();
  EXPECT_EQ(!says(findings, Rule::kBackToBack), is_race_free) << to_string(schedule);
  return is_race_free;
}

TEST(BackToBack, races_are_those_of_two_runs_written_out) {
  int clean = 0;
  int racing = 0;
  for (const int ranks : {2, 3})
    for (const Algorithm algorithm : algorithms())
      for (const Plan& plan : testing::tiny_plans(ranks))
        for (const Capabilities& available : {Capabilities{}, Capabilities{false, false, false}}) {
          const Schedule schedule = legalize(lower(plan, {algorithm}), available);
          ++(check(schedule, verify(schedule, {.back_to_back = true})) ? clean : racing);
          if (ranks > 2) continue;
          for (const testing::Mutant& mutant : testing::Mutator(schedule).all()) {
            const std::vector<Finding> findings = verify(mutant.schedule, {.back_to_back = true});
            if (says(findings, Rule::kWellFormed) || says(findings, Rule::kDeadlock) || says(findings, Rule::kRace))
              continue;
            ++(check(mutant.schedule, findings) ? clean : racing);
          }
        }
  // These have no get and no arrival that the next run could overtake, until a wait or a signal is left out.
  const Schedule ring = testing::read_schedule("ring_with_credit");
  ++(check(ring, verify(ring, {.back_to_back = true})) ? clean : racing);
  for (const testing::Mutant& mutant : testing::Mutator(ring).all()) {
    const std::vector<Finding> findings = verify(mutant.schedule, {.back_to_back = true});
    if (!mutant.what.starts_with("left out") || says(findings, Rule::kDeadlock) || says(findings, Rule::kRace))
      continue;
    ++(check(mutant.schedule, findings) ? clean : racing);
  }
  EXPECT_GT(clean, 0);
  EXPECT_GT(racing, 100);
}

TEST(BackToBack, is_asked_for) {
  const Schedule schedule = testing::read_schedule("all_gather_matmul");
  EXPECT_THAT(verify(schedule), ::testing::IsEmpty());
  EXPECT_THAT(verify(schedule, {.back_to_back = true}), ::testing::Not(::testing::IsEmpty()));
}

}  // namespace
}  // namespace meshmul
