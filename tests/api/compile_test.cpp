#include "meshmul/compile.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "meshmul/error.hpp"
#include "meshmul/verify.hpp"

namespace meshmul {
namespace {

TEST(Compile, ReturnsAProvenScheduleForEveryBackend) {
  const Mesh mesh{{"X", 3}};
  const Statement statement = parse_statement("A[I=7_X, J=5] * B[J_X, K=4] -> C[I_X, K]", mesh);
  for (const Executor* executor : executors()) {
    const Compiled compiled = compile(statement, mesh, find_hardware("cpu"), *executor);
    EXPECT_TRUE(verify(compiled.schedule).empty()) << executor->name();
    EXPECT_EQ(compiled.schedule.num_ranks(), 3);
    EXPECT_EQ(compiled.schedule.contract.statements.front(), compiled.plan.statement);
  }
}

TEST(Compile, AProgramBecomesOneProvenScheduleForEveryBackend) {
  const Mesh mesh{{"X", 3}};
  const Program program = parse_program(
      "X[B=7, D=5_X]\nW1[L=2, D, F=8]?\nW2[L, F, D]?\nrepeat L as l {\n  H = gelu(X * W1[l])\n"
      "  X = H * W2[l] like X\n}\n",
      mesh);
  for (const Executor* executor : executors()) {
    const CompiledProgram compiled = compile(program, mesh, find_hardware("cpu"), *executor);
    EXPECT_TRUE(verify(compiled.schedule).empty()) << executor->name();
    EXPECT_EQ(compiled.lower, compiled.candidates.front().lower);
    EXPECT_EQ(bytes_per_rank(compiled.schedule), compiled.candidates.front().bytes_per_rank);
  }
}

TEST(Compile, AProgramKeepsToItsMemoryToo) {
  const Mesh mesh{{"X", 2}};
  const Program program = parse_program("X[B=64_X, D=8]\nW[D, F=8]\nY[B, F] = X * W\n", mesh);
  CompileOptions options;
  options.lower = LowerOptions{Algorithm::kRing, {}};
  const auto bytes_within = [&](std::optional<std::int64_t> limit) {
    options.plan.memory_bytes = limit;
    return bytes_per_rank(compile(program, mesh, find_hardware("cpu"), *find_executor("reference"), options).schedule);
  };
  const std::int64_t needed = bytes_within(std::nullopt);
  EXPECT_EQ(bytes_within(needed), needed);
  EXPECT_THROW(bytes_within(needed - 1), Error);
}

TEST(Compile, AScheduleMayTakeNoMoreThanIsSaid) {
  const Mesh mesh{{"X", 3}};
  const Statement statement = parse_statement("f32 A[I=6, J=4]{U_X} -> A[I_X, J]", mesh);
  const auto compile_within = [&](std::optional<std::int64_t> bytes, Algorithm algorithm) {
    CompileOptions options;
    options.plan.memory_bytes = bytes;
    options.lower = LowerOptions{algorithm, {}};
    return compile(statement, mesh, find_hardware("cpu"), *find_executor("reference"), options);
  };
  const std::int64_t planned = compile_within(std::nullopt, Algorithm::kDirect).plan.peak_bytes;
  EXPECT_EQ(bytes_per_rank(compile_within(planned, Algorithm::kDirect).schedule), planned);
  const std::int64_t of_ring = bytes_per_rank(compile_within(std::nullopt, Algorithm::kRing).schedule);
  EXPECT_EQ(bytes_per_rank(compile_within(of_ring, Algorithm::kRing).schedule), of_ring);
  try {
    compile_within(of_ring - 1, Algorithm::kRing);
    FAIL() << "it takes " << of_ring;
  } catch (const Error& error) {
    EXPECT_EQ(
        error.what(),
        fmt::format("built ring, the schedule takes {} bytes a rank; expected at most {} (the plan takes {}; slots "
                    "and what a backend stages come besides); built direct, it takes {}",
                    of_ring, of_ring - 1, planned, planned));
  }
}

TEST(Compile, TakesTheFastestWayThatFits) {
  const Mesh mesh{{"X", 4}};
  const Statement statement = parse_statement("A[I=4096_X, J=512] * B[J, K=512] -> C[I, K]", mesh);
  const auto compile_within = [&](std::optional<std::int64_t> bytes) {
    CompileOptions options;
    options.plan.memory_bytes = bytes;
    return compile(statement, mesh, find_hardware("cpu"), *find_executor("reference"), options);
  };
  const Compiled free = compile_within(std::nullopt);
  std::int64_t least = bytes_per_rank(free.schedule);
  for (const Candidate& candidate : free.candidates) least = std::min(least, candidate.bytes_per_rank);
  for (const std::int64_t limit : {bytes_per_rank(free.schedule), std::max(least, free.plan.peak_bytes)})
    EXPECT_LE(bytes_per_rank(compile_within(limit).schedule), limit);
}

TEST(Compile, ProveThrowsAllFindings) {
  const Mesh mesh{{"X", 2}};
  const Statement statement = parse_statement("A[I=4_X, J=5] * B[J_X, K=4] -> C[I_X, K]", mesh);
  Schedule schedule = compile(statement, mesh, find_hardware("cpu"), *find_executor("reference")).schedule;
  for (RankProgram& rank : schedule.ranks) rank.lanes.clear();
  try {
    prove(schedule);
    FAIL() << "an empty program computes nothing";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("coverage"));
  }
}

}  // namespace
}  // namespace meshmul
