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

/// The findings of a schedule that is to do without a barrier.
std::vector<Finding> findings_without_barrier(Schedule schedule) {
  schedule.capabilities.barrier = false;
  return verify(schedule);
}

constexpr Capabilities kAll{};
constexpr Capabilities kNothingButBarriers{false, false, false, true};
constexpr Capabilities kNoBarrier{true, true, true, false};
constexpr Capabilities kNothing{false, false, false, false};

TEST(BackToBack, races_are_those_of_two_runs_written_out) {
  int clean = 0;
  int racing = 0;
  for (const int ranks : {2, 3})
    for (const Schedule& built : testing::tiny_schedules(ranks))
      for (const Capabilities& available : {kAll, kNothingButBarriers, kNoBarrier, kNothing}) {
        const Schedule schedule = legalize(built, available);
        ++(check(schedule, findings_without_barrier(schedule)) ? clean : racing);
        if (ranks > 2) continue;
        for (const testing::Mutant& mutant : testing::Mutator(schedule).all()) {
          const std::vector<Finding> findings = findings_without_barrier(mutant.schedule);
          if (says(findings, Rule::kWellFormed) || says(findings, Rule::kDeadlock) || says(findings, Rule::kRace))
            continue;
          ++(check(mutant.schedule, findings) ? clean : racing);
        }
      }
  // These have no get and no arrival that the next run could overtake, until a wait or a signal is left out.
  const Schedule ring = testing::read_schedule("ring_with_credit");
  ++(check(ring, verify(ring)) ? clean : racing);
  for (const testing::Mutant& mutant : testing::Mutator(ring).all()) {
    const std::vector<Finding> findings = verify(mutant.schedule);
    if (!mutant.what.starts_with("left out") || says(findings, Rule::kDeadlock) || says(findings, Rule::kRace))
      continue;
    ++(check(mutant.schedule, findings) ? clean : racing);
  }
  EXPECT_GT(clean, 0);
  EXPECT_GT(racing, 100);
}

TEST(BackToBack, no_handshake_that_replaces_a_barrier_can_be_left_out) {
  for (const Schedule& built : testing::tiny_schedules(3)) {
    const Schedule schedule = legalize(built, kNoBarrier);
    EXPECT_THAT(verify(schedule), ::testing::IsEmpty());
    for (int rank = 0; rank < schedule.num_ranks(); ++rank) {
      const std::vector<Lane>& lanes = schedule.ranks[static_cast<std::size_t>(rank)].lanes;
      for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        for (std::size_t i = 0; i < lanes[lane].ops.size(); ++i) {
          const auto* wait = std::get_if<Wait>(&lanes[lane].ops[i]);
          if (wait == nullptr) continue;
          const std::string& signal = schedule.signals[static_cast<std::size_t>(wait->signal)].name;
          if (!signal.starts_with("open.") && !signal.starts_with("done.")) continue;
          Schedule mutant = schedule;
          std::vector<Op>& ops = mutant.ranks[static_cast<std::size_t>(rank)].lanes[lane].ops;
          ops.erase(ops.begin() + static_cast<std::ptrdiff_t>(i));
          EXPECT_THAT(verify(mutant), ::testing::Not(::testing::IsEmpty()))
              << "without wait " << i << " of lane " << lanes[lane].name << " of rank " << rank << ":\n"
              << to_string(schedule);
        }
    }
  }
}

TEST(BackToBack, is_asked_of_what_requires_no_barrier) {
  Schedule schedule = testing::read_schedule("all_gather_matmul");
  EXPECT_THAT(verify(schedule), ::testing::IsEmpty());
  schedule.capabilities.barrier = false;
  EXPECT_THAT(verify(schedule), ::testing::Not(::testing::IsEmpty()));
}

}  // namespace
}  // namespace meshmul
