// The verifier against the reference executor: whatever is changed in a good schedule is either found, or harmless in a
// thousand adversarial orders; and what is said about deadlocks and races is true.

#include <gmock/gmock.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "execute/contract_values.hpp"
#include "execute/event_order.hpp"
#include "execute/reference/adversary.hpp"
#include "execute/reference/machine.hpp"
#include "execute/tiny_schedules.hpp"
#include "meshmul/collectives.hpp"
#include "meshmul/hardware.hpp"
#include "meshmul/lower.hpp"
#include "meshmul/plan.hpp"
#include "verify/mutants.hpp"
#include "verify/schedules.hpp"

namespace meshmul {
namespace {

struct Outcome {
  bool finished = false;
  bool right = false;
};

// One order of events. Which ops run does not depend on it; without races the values do not either.
Outcome run_once(const Schedule& schedule) {
  const testing::ContractValues values(schedule);
  ReferenceProducts products;
  Machine machine(schedule);
  values.fill_inputs(machine.memory());
  for (std::vector<Choice> choices = machine.choices(); !choices.empty(); choices = machine.choices())
    machine.take(choices.front(), products, 1);
  return {machine.finished(), values.outputs_are_right(machine.memory())};
}

// Orders in which some lanes and transfers lag far behind. The tests of `verdicts_test` try all orders, of smaller
// schedules.
bool is_right_in_adversarial_orders(const Schedule& schedule) {
  constexpr std::uint64_t kOrders = 1000 / MESHMUL_RANDOM_CASE_DIVISOR;
  const testing::ContractValues values(schedule);
  ReferenceProducts products;
  Machine machine(schedule);
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    Adversary adversary(seed);
    machine.begin_run();
    values.fill_inputs(machine.memory());
    for (std::vector<Choice> choices = machine.choices(); !choices.empty(); choices = machine.choices())
      machine.take(adversary.choose(choices, machine), products, adversary.num_pieces());
    if (!machine.finished() || !values.outputs_are_right(machine.memory())) return false;
  }
  return true;
}

// How many mutants each rule told, and of how many none told anything.
struct Tally {
  int well_formed = 0, deadlock = 0, drained = 0, race = 0, coverage = 0, harmless = 0;
};

void check(const testing::Mutant& mutant, Tally& tally) {
  const std::vector<Finding> findings = verify(mutant.schedule);
  const auto tells = [&](Rule rule) {
    return std::any_of(findings.begin(), findings.end(), [rule](const Finding& f) { return f.rule == rule; });
  };
  if (tells(Rule::kWellFormed)) {
    ++tally.well_formed;
    return;
  }
  const Outcome outcome = run_once(mutant.schedule);
  EXPECT_EQ(tells(Rule::kDeadlock), !outcome.finished) << mutant.what;
  if (!outcome.finished) {
    ++tally.deadlock;
    return;
  }
  const bool is_race_free = testing::EventOrder(mutant.schedule).is_race_free();
  EXPECT_EQ(tells(Rule::kRace), !is_race_free) << mutant.what << "\n" << to_string(mutant.schedule);
  if (!is_race_free) {
    ++tally.race;
    return;
  }
  EXPECT_EQ(tells(Rule::kCoverage), !outcome.right) << mutant.what << "\n" << to_string(mutant.schedule);
  if (!outcome.right) ++tally.coverage;
  if (tells(Rule::kDrained)) ++tally.drained;
  if (!findings.empty()) return;
  ++tally.harmless;
  EXPECT_TRUE(is_right_in_adversarial_orders(mutant.schedule)) << mutant.what << "\n" << to_string(mutant.schedule);
}

void check_all(const Schedule& schedule, Tally& tally) {
  EXPECT_THAT(testing::findings_of(schedule), ::testing::IsEmpty());
  EXPECT_TRUE(run_once(schedule).right) << to_string(schedule);
  for (const testing::Mutant& mutant : testing::Mutator(schedule).all()) check(mutant, tally);
}

void expect_each_rule_tells_some(const Tally& tally) {
  EXPECT_GT(tally.well_formed, 0);
  EXPECT_GT(tally.deadlock, 0);
  EXPECT_GT(tally.race, 0);
  EXPECT_GT(tally.coverage, 0);
}

TEST(Mutation, OfWrittenSchedulesIsFoundOrHarmless) {
  Tally tally;
  for (const char* name : {"all_gather_matmul", "ring_reduce_scatter"}) {
    SCOPED_TRACE(name);
    check_all(testing::read_schedule(name), tally);
  }
  expect_each_rule_tells_some(tally);
}

// A move of each kind over X=3, of blocks that are not of one size.
std::pair<std::string_view, std::string_view> uneven_move(MoveKind kind) {
  switch (kind) {
    case MoveKind::kSlice: return {"f32 A[I=5, J=2] -> A[I_X, J]", "X=3"};
    case MoveKind::kAllGather: return {"f32 A[I=5_X, J=2] -> A[I, J]", "X=3"};
    case MoveKind::kReduceScatter: return {"f32 A[I=5, J=2]{U_X} -> A[I_X, J]", "X=3"};
    case MoveKind::kAllReduce: return {"f32 A[I=4]{U_X} -> A[I]", "X=3"};
    case MoveKind::kAllToAll: return {"f32 A[I=5_X, J=4] -> A[I, J_X]", "X=3"};
    case MoveKind::kPermute: return {"f32 A[I=5_XY, J=2] -> A[I_YX, J]", "X=3,Y=1"};
    case MoveKind::kRedistribute: return {"f32 A[I=5_X, J=4] -> A[J_X, I]", "X=3"};
    case MoveKind::kUnreduce: return {"f32 A[I=2, J=2] -> A[I, J]{U_X}", "X=3"};
  }
  return {};
}

// What every builder makes of blocks that are not of one size: move_kinds() by algorithms(), products by algorithms() and
// designs(), exchanges(). What two of them build alike is there once.
std::vector<Schedule> uneven_schedules() {
  const Mesh mesh{{"X", 3}};
  std::vector<Schedule> schedules;
  const auto add = [&](Schedule schedule) {
    if (std::ranges::find(schedules, schedule) == schedules.end()) schedules.push_back(std::move(schedule));
  };
  for (const Algorithm algorithm : algorithms()) {
    for (const MoveKind kind : move_kinds()) {
      const auto [statement, on] = uneven_move(kind);
      add(lower(testing::one_move(kind, statement, on), {algorithm}));
    }
    // No shard of what is summed over is empty: who loses its zeros is found, although the numbers come out right.
    for (const char* product : {"A[I=3, J=5_X] * B[J_X, K=2] -> C[I_X, K]", "A[I=4_X, J=2] * B[J, K=3_X] -> C[I, K_X]"})
      add(lower(plan(parse_statement(product, mesh), mesh, find_hardware("cpu")), {algorithm}));
  }
  for (const Design design : designs())
    for (const char* product :
         {"A[I=5_X, J=2] * B[J_X, K=2] -> C[I_X, K]", "A[I=4, J=3_X] * B[J_X, K=2] -> C[I_X, K]"}) {
      OverlapOptions overlap;
      overlap.gather = overlap.reduce = design;
      overlap.rows_per_round = 1;
      add(lower(plan(parse_statement(product, mesh), mesh, find_hardware("cpu")), {Algorithm::kDirect, overlap}));
    }
  for (const Exchange exchange : exchanges())
    add(build_exchange(exchange, parse_array("f32 A[I=5_X, J=2]", mesh), mesh, 0));
  return schedules;
}

TEST(Mutation, OfWhatTheBuildersMakeIsFoundOrHarmless) {
  Tally tally;
  for (const Schedule& schedule : uneven_schedules())
    for (const bool all : {false, true})
      check_all(legalize(schedule, {.get = all, .addressable = all, .strided = all}), tally);
  expect_each_rule_tells_some(tally);
  EXPECT_GT(tally.drained, 0);
  EXPECT_GT(tally.harmless, 0);
}

// More ranks have more mutants than can be tried: one of many is.
TEST(Mutation, OfWhatTheBuildersMakeForSixRanksIsFoundOrHarmless) {
  constexpr std::size_t kStep = 199;
  std::vector<Schedule> schedules = testing::tiny_schedules(6);
  for (const Algorithm algorithm : {Algorithm::kRing, Algorithm::kRingBothWays})
    for (const auto& [kind, statement] : {std::pair{MoveKind::kAllGather, "f32 A[I=12_XY] -> A[I]"},
                                          {MoveKind::kAllReduce, "f32 A[I=12]{U_XY} -> A[I]"}})
      schedules.push_back(lower(testing::one_move(kind, statement, "X=2,Y=3"), {algorithm}));
  Tally tally;
  for (const Schedule& schedule : schedules)
    for (const testing::Mutant& mutant : testing::Mutator(schedule, kStep).all()) check(mutant, tally);
  expect_each_rule_tells_some(tally);
}

}  // namespace
}  // namespace meshmul
