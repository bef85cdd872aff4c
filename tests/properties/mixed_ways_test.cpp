// A program whose products are best built in different ways: chosen by simulation, proven, and run on threads, exactly.

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "meshmul/compile.hpp"
#include "meshmul/verify.hpp"
#include "support/run_program.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 4}};

// The first product gathers, the second one reduces.
constexpr const char* kLayer = "X[B=64, D=512_X]\nW1[D, F=512_X]\nW2[F_X, D]\nH = relu(X * W1)\nY = H * W2 like X\n";

bool is_mixed(const ProgramCandidate& candidate) { return !candidate.lower.parts.empty(); }

CompiledProgram compiled(const std::string& text, const Hardware& hardware, const CompileOptions& options = {}) {
  return compile(parse_program(text, kMesh), kMesh, hardware, *find_executor("threads"), options);
}

TEST(MixedWays, AreTakenWhereTheyAreFasterThanAnyOneWay) {
  const CompiledProgram mixed = compiled(kLayer, find_hardware("h100"));
  ASSERT_TRUE(is_mixed(mixed.candidates.front()));
  EXPECT_EQ(mixed.lower, mixed.candidates.front().lower);
  EXPECT_EQ(std::ranges::count_if(mixed.candidates, is_mixed), 1);
  EXPECT_LT(mixed.candidates[0].makespan_ps, mixed.candidates[1].makespan_ps);
  const Topology topology = topology_of(mixed.plan, find_hardware("h100"));
  EXPECT_EQ(simulate(mixed.schedule, find_hardware("h100"), topology, {.cost = mixed.plan.cost}).makespan_ps,
            mixed.candidates[0].makespan_ps);
}

TEST(MixedWays, AreProvenAndExact) {
  const CompiledProgram mixed = compiled(
      "X[B=6, D=5_X]\nW1[L=3, D, F=9_X]\nW2[L, F_X, D]\n"
      "repeat L as l {\n  H = relu(X * W1[l])\n  X = H * W2[l] like X\n}\n",
      find_hardware("cpu"));
  ASSERT_FALSE(mixed.lower.parts.empty());
  EXPECT_TRUE(verify(mixed.schedule).empty());
  ExecuteOptions options;
  options.kernels = MESHMUL_TEST_KERNELS;
  options.poison = true;
  const std::unique_ptr<Session> session = find_executor("threads")->open(mixed.schedule, options);
  for (std::uint64_t seed = 1; seed <= 2; ++seed)
    EXPECT_EQ(testing::run_and_compare(*session, mixed.schedule, mixed.plan, seed), "");
}

TEST(MixedWays, FitIntoTheMemoryThatWasStated) {
  const CompiledProgram free = compiled(kLayer, find_hardware("h100"));
  int fitting = 0;
  for (const ProgramCandidate& candidate : free.candidates) {
    CompileOptions options;
    options.plan.memory_bytes = std::max(candidate.bytes_per_rank, free.plan.best.peak_bytes);
    const CompiledProgram limited = compiled(kLayer, find_hardware("h100"), options);
    EXPECT_LE(bytes_per_rank(limited.schedule), *options.plan.memory_bytes);
    for (const ProgramCandidate& found : limited.candidates) {
      if (!is_mixed(found)) continue;
      EXPECT_LE(found.bytes_per_rank, *options.plan.memory_bytes);
      ++fitting;
    }
  }
  EXPECT_GT(fitting, 0);
}

}  // namespace
}  // namespace meshmul
