// Random programs through the whole flow: planned, built in a random way, proven by every rule, and run on threads, against
// plain loops, exactly.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <random>
#include <string>

#include "meshmul/compile.hpp"
#include "meshmul/verify.hpp"
#include "plan/toy_hardware.hpp"
#include "support/random_program.hpp"
#include "support/run_program.hpp"

namespace meshmul::testing {
namespace {

constexpr int kAllCases = 4000;
constexpr int kCases = kAllCases / MESHMUL_RANDOM_CASE_DIVISOR;
constexpr int kBatches = 10;
constexpr std::uint64_t kSeed = 20260707;

/// What is wrong with case `number`, in words; empty if nothing is.
std::string failure_of(int number) {
  std::mt19937_64 random(kSeed + static_cast<std::uint64_t>(number));
  const auto [mesh, text] = random_program(random);
  const LowerOptions way = random_way(random);
  const auto say = [&](const std::string& what) {
    return fmt::format("case {} on mesh {}, {}:\n{}{}", number, mesh.str(), to_string(way), text, what);
  };
  try {
    const Program program = parse_program(text, mesh);
    const Executor& executor = *find_executor("threads");
    const ProgramPlan chosen = plan(program, mesh, toy_hardware());
    const Schedule schedule = legalize(lower(chosen, way), executor.capabilities());
    for (const Finding& finding : verify(schedule)) return say(to_string(finding, schedule));
    if (parse_schedule(to_string(schedule)) != schedule) return say("the schedule does not parse back");
    ExecuteOptions options;
    options.kernels = MESHMUL_TEST_KERNELS;
    options.poison = true;
    const std::unique_ptr<Session> session = executor.open(schedule, options);
    const std::string difference = run_and_compare(*session, schedule, chosen, static_cast<std::uint64_t>(number));
    return difference.empty() ? "" : say(difference);
  } catch (const Error& error) {
    return say(error.report());
  } catch (const std::exception& error) {
    return say(error.what());
  }
}

class RandomPrograms : public ::testing::TestWithParam<int> {};

TEST_P(RandomPrograms, AreProvenAndExact) {
  for (int number = GetParam() * kCases / kBatches; number < (GetParam() + 1) * kCases / kBatches; ++number)
    ASSERT_EQ(failure_of(number), "");
}
INSTANTIATE_TEST_SUITE_P(Batch, RandomPrograms, ::testing::Range(0, kBatches));

TEST(RandomProgramsMix, HasLoopsFunctionsDtypesAndOpenArrays) {
  std::map<std::string, int> count;
  for (int number = 0; number < kAllCases; ++number) {
    std::mt19937_64 random(kSeed + static_cast<std::uint64_t>(number));
    const std::string text = random_program(random).text;
    for (const char* word : {"repeat", "relu(", "add(", "mul(", "bias(", "scale(", "convert(", " * ", "?", "{U_", "f64",
                             "f32", "bf16", "f16", "f8e4m3", "i8", "i32"})
      if (text.find(word) != std::string::npos) ++count[word];
  }
  EXPECT_EQ(count.size(), 17U);
  for (const auto& [word, hits] : count) EXPECT_GE(hits, kAllCases * 5 / 100) << word;
}

}  // namespace
}  // namespace meshmul::testing
