// The product that `push` was made for, small: 4 ranks gather rows in 8 rounds through 2 slots, and multiply what has come by
// weights of their own. Every design gives the product in one piece.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "meshmul/compile.hpp"
#include "meshmul/world.hpp"

namespace meshmul {
namespace {

constexpr std::int64_t kRanks = 4;
constexpr std::int64_t kRounds = 8;
constexpr std::int64_t kRowsPerRound = 16;
constexpr std::int64_t kInner = 64;  // K, and N of one rank
constexpr std::int64_t kRows = kRanks * kRounds * kRowsPerRound;
constexpr std::int64_t kColumns = kRanks * kInner;

OverlapOptions gathered_by(Design design) {
  OverlapOptions overlap;
  overlap.gather = design;
  return overlap;
}

OverlapOptions pushed() {
  OverlapOptions overlap = gathered_by(Design::kPush);
  overlap.rows_per_round = kRowsPerRound;
  overlap.slots = 2;
  return overlap;
}

/// The collective first, by every algorithm; and every design.
std::vector<LowerOptions> all_ways() {
  std::vector<LowerOptions> ways;
  for (const Algorithm algorithm : algorithms()) ways.push_back({algorithm, {}});
  for (const Design design : designs())
    if (design != Design::kSequential) ways.push_back({Algorithm::kAutomatic, gathered_by(design)});
  OverlapOptions chunks = gathered_by(Design::kPull);
  chunks.chunks_per_shard = kRounds;
  ways.push_back({Algorithm::kAutomatic, chunks});
  ways.push_back({Algorithm::kAutomatic, pushed()});
  return ways;
}

HostArray product(Mesh mesh, const P& a_sharding, const P& b_sharding, const LowerOptions& way) {
  WorldOptions options;
  options.lower = way;
  options.execute.kernels = MESHMUL_TEST_KERNELS;
  World world = World::threads(std::move(mesh), options);
  const Array a = world.random(dtype::f16, {kRows, kInner}, a_sharding, 1);
  const Array b = world.random(dtype::f16, {kInner, kColumns}, b_sharding, 2);
  return einsum("MK,KN->MN", a, b, b_sharding).gather();
}

/// The first element that is farther from `expected` than 1e-3 + 1e-3 |expected|, in words; empty if there is none.
std::string difference(const HostArray& found, const HostArray& expected) {
  if (found.shape() != expected.shape()) return "other shape";
  for (std::int64_t i = 0; i < expected.num_elements(); ++i)
    if (!(std::abs(found[i] - expected[i]) <= 1e-3 + 1e-3 * std::abs(expected[i])))
      return fmt::format("element {}: found {}, expected {}", i, found[i], expected[i]);
  return {};
}

TEST(GatheredRows, EveryDesignGivesTheProductInOnePiece) {
  const HostArray expected = product({}, P(), P(), {});
  for (const LowerOptions& way : all_ways())
    EXPECT_EQ(difference(product({{"X", kRanks}}, P("X"), P(nullptr, "X"), way), expected), "") << to_string(way);
}

Compiled compile_pushed() {
  const Mesh mesh{{"X", kRanks}};
  CompileOptions options;
  options.lower = LowerOptions{Algorithm::kAutomatic, pushed()};
  const std::string text = fmt::format("f16 A[M={}_X, K={}] * B[K, N={}_X] -> C[M, N_X]", kRows, kInner, kColumns);
  return compile(parse_statement(text, mesh), mesh, find_hardware("cpu"), *find_executor("threads"), options);
}

TEST(GatheredRows, TakeNoMoreMemoryThanTwoSlotsOfARoundFromEachPeer) {
  const Schedule schedule = compile_pushed().schedule;
  const std::int64_t arrays = 2 * (kRows / kRanks * kInner + kInner * kInner + kRows * kInner);
  EXPECT_EQ(bytes_per_rank(schedule) - arrays, 2 * (kRanks - 1) * kRowsPerRound * kInner * 2);
}

TEST(GatheredRows, AreMultipliedRoundByRound) {
  const Schedule schedule = compile_pushed().schedule;
  for (const RankProgram& rank : schedule.ranks) {
    std::int64_t gemms = 0;
    for (const Lane& lane : rank.lanes)
      gemms += std::ranges::count_if(lane.ops, [](const Op& op) { return std::holds_alternative<Gemm>(op); });
    EXPECT_EQ(gemms, 1 + kRounds * (kRanks - 1)) << "the own rows at once, those of each peer round by round";
  }
}

}  // namespace
}  // namespace meshmul
