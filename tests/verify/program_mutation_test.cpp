// Mutants of lowered programs: whatever is changed in the schedule of some layers is found, or harmless in many
// adversarial orders.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <vector>

#include "meshmul/execute.hpp"
#include "meshmul/lower_program.hpp"
#include "meshmul/verify.hpp"
#include "plan/toy_hardware.hpp"
#include "support/run_program.hpp"
#include "verify/mutants.hpp"

namespace meshmul {
namespace {

constexpr const char* kStack =
    "X[B=2, D=3_X]\nW1[L=2, D, F=3_X]\nW2[L, F_X, D]\nrepeat L as l {\n  H = relu(X * W1[l])\n  X = H * W2[l] like "
    "X\n}\n";
constexpr const char* kReducedStack =
    "X[B=2, D=3]\nW1[L=2, D, F=3_X]\nW2[L, F_X, D]\nrepeat L as l {\n  H = relu(X * W1[l])\n  X = H * W2[l] like "
    "X\n}\n";
constexpr const char* kGated =
    "X[B=3_X, D=2]\nWg[D, F=3_X]\nWu[D, F_X]\nWd[F_X, D]\nb[D]\nS[B, F_X] = relu(X * Wg)\nV[B, F_X] = X * Wu\n"
    "H[B, F_X] = mul(S, V)\nZ[B_X, D] = H * Wd\nY[B_X, D] = bias(Z, b)\n";

/// How many mutants were found by a rule, and how many are harmless.
struct Tally {
  int found = 0, harmless = 0;
};

/// What goes wrong in some order of events; empty if nothing does in any that is tried.
std::string fault_in_adversarial_orders(const Schedule& schedule, const ProgramPlan& plan) {
  constexpr std::uint64_t kOrders = 200 / MESHMUL_RANDOM_CASE_DIVISOR;
  for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
    ExecuteOptions options;
    options.seed = seed;
    options.poison = true;
    const auto session = find_executor("reference")->open(schedule, options);
    for (std::uint64_t run = 0; run < 2; ++run)
      if (std::string difference = testing::run_and_compare(*session, schedule, plan, seed + run); !difference.empty())
        return fmt::format("in order {}: {}", seed, difference);
  }
  return {};
}

/// One of `step` mutants of the program, built in this way.
void check(const char* text, const LowerOptions& way, const Capabilities& available, std::size_t step, Tally& tally) {
  const Mesh mesh{{"X", 2}};
  const ProgramPlan plan = meshmul::plan(parse_program(text, mesh), mesh, testing::toy_hardware());
  const Schedule schedule = legalize(lower(plan, way), available);
  ASSERT_TRUE(verify(schedule).empty()) << text;
  for (const testing::Mutant& mutant : testing::Mutator(schedule, step).all()) {
    if (!verify(mutant.schedule).empty()) {
      ++tally.found;
      continue;
    }
    ++tally.harmless;
    EXPECT_EQ(fault_in_adversarial_orders(mutant.schedule, plan), "") << mutant.what << "\n"
                                                                      << to_string(mutant.schedule);
  }
}

TEST(ProgramMutation, OfEveryDesignIsFoundOrHarmless) {
  Tally tally;
  for (const Design design : designs())
    for (const char* text : {kStack, kReducedStack, kGated}) {
      LowerOptions way;
      way.overlap.gather = way.overlap.reduce = design;
      way.overlap.chunks_per_shard = 2;
      way.overlap.rows_per_round = 1;
      SCOPED_TRACE(fmt::format("{} of\n{}", name(design), text));
      check(text, way, {}, 7, tally);
      check(text, way, {.get = false, .addressable = false, .strided = false, .barrier = false}, 53, tally);
    }
  EXPECT_GT(tally.found, 1000);
  EXPECT_LT(tally.harmless, tally.found / 5);
}

}  // namespace
}  // namespace meshmul
