// Random statements in which something overlaps, with random designs and pieces: proven by every rule, and run,
// exactly.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "meshmul/compile.hpp"
#include "meshmul/error.hpp"
#include "meshmul/verify.hpp"
#include "support/random_program.hpp"
#include "support/random_statement.hpp"
#include "support/run_schedule.hpp"

namespace meshmul::testing {
namespace {

constexpr int kAllCases = 2000;
constexpr int kCases = kAllCases / MESHMUL_RANDOM_CASE_DIVISOR;
constexpr int kBatches = 10;
constexpr std::uint64_t kSeed = 20260808;

struct OverlapCase {
  MeshStatement statement;
  Plan plan;
  LowerOptions way;
};

/// `way` with the designs of those sides alone beside which something moves. Pieces may be larger than these small shards:
/// `lower` takes whole ones then.
LowerOptions with_sides_of(const Plan& plan, LowerOptions way) {
  LowerOptions sides;
  sides.overlap.gather = way.overlap.gather;
  sides.overlap.reduce = way.overlap.reduce;
  sides = applied(sides, plan);
  way.overlap.gather = sides.overlap.gather;
  way.overlap.reduce = sides.overlap.reduce;
  return way;
}

/// Statements are drawn until something stands beside a product, and ways until one overlaps it. Hops are free, so that bytes
/// decide as they do for large arrays.
OverlapCase case_number(int number) {
  std::mt19937_64 random(kSeed + static_cast<std::uint64_t>(number));
  Hardware cpu = find_hardware("cpu");
  cpu.network.hop_seconds = 1e-12;
  for (;;) {
    MeshStatement s = random_statement(random);
    if (!std::holds_alternative<Product>(s.statement)) continue;
    Plan chosen = plan(s.statement, s.mesh, cpu);
    LowerOptions every;
    every.overlap.gather = every.overlap.reduce = Design::kPull;
    try {
      (void)applied(every, chosen);
    } catch (const Error&) {
      continue;
    }
    for (;;) {
      LowerOptions way = random_way(random);
      if (!way.overlap.any()) continue;
      try {
        way = with_sides_of(chosen, way);
      } catch (const Error&) {
        continue;
      }
      return {std::move(s), std::move(chosen), way};
    }
  }
}

/// `threads`, or another one by $MESHMUL_TEST_EXECUTOR: on a machine with GPUs, `cuda`.
const Executor& the_executor() {
  const char* name = std::getenv("MESHMUL_TEST_EXECUTOR");
  const Executor* found = find_executor(name == nullptr ? "threads" : name);
  if (found == nullptr) throw std::runtime_error(fmt::format("there is no executor {} here", name));
  return *found;
}

std::string failure_of(int number) {
  const OverlapCase c = case_number(number);
  const auto say = [&](const std::string& what) {
    return fmt::format("case {}: {} on mesh {}, {}: {}", number, to_string(c.statement.statement, c.statement.mesh),
                       c.statement.mesh.str(), to_string(c.way), what);
  };
  try {
    const Executor& executor = the_executor();
    const Schedule schedule = legalize(lower(c.plan, c.way), executor.capabilities());
    for (const Finding& finding : verify(schedule)) return say(to_string(finding, schedule));
    ExecuteOptions options;
    options.kernels = MESHMUL_TEST_KERNELS;
    options.poison = true;
    const std::unique_ptr<Session> session = executor.open(schedule, options);
    const std::string difference = run_and_compare(*session, schedule, static_cast<std::uint64_t>(number));
    return difference.empty() ? "" : say(difference);
  } catch (const std::exception& error) {
    return say(error.what());
  }
}

class RandomOverlap : public ::testing::TestWithParam<int> {};

TEST_P(RandomOverlap, IsProvenAndExact) {
  for (int number = GetParam() * kCases / kBatches; number < (GetParam() + 1) * kCases / kBatches; ++number)
    ASSERT_EQ(failure_of(number), "");
}
INSTANTIATE_TEST_SUITE_P(Batch, RandomOverlap, ::testing::Range(0, kBatches));

TEST(RandomOverlapMix, HasEveryDesignOnBothSides) {
  std::map<std::string, int> count;
  constexpr int kLooked = 500;
  for (int number = 0; number < kLooked; ++number) {
    const OverlapOptions overlap = case_number(number).way.overlap;
    ++count[fmt::format("operands {}", name(overlap.gather))];
    ++count[fmt::format("sums {}", name(overlap.reduce))];
    if (overlap.gather != Design::kSequential && overlap.reduce != Design::kSequential) ++count["both"];
  }
  for (const Design design : designs()) {
    EXPECT_GE(count[fmt::format("operands {}", name(design))], kLooked / 20) << name(design);
    EXPECT_GE(count[fmt::format("sums {}", name(design))], kLooked / 20) << name(design);
  }
  EXPECT_GE(count["both"], kLooked / 20);
}

}  // namespace
}  // namespace meshmul::testing
