#include "schedule/overlap/overlapped_product.hpp"

#include <gmock/gmock.h>

#include "schedule/all_plans.hpp"
#include "schedule/checked_run.hpp"
#include "schedule/expect_all_right.hpp"
#include "schedule/expect_proven.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

const Mesh kOneAxis{{"X", 4}};
const Mesh kTwoAxes{{"X", 2}, {"Y", 3}};
const Mesh kThreeAxes{{"X", 2}, {"Y", 1}, {"Z", 2}};

struct Case {
  std::string statement;
  Mesh mesh;
};

// Gathers and exchanges of outer, batch and contracted dimensions, sums that are scattered and not, over one axis and
// more, with blocks that are uneven or empty.
const std::vector<Case> kCases = {
    {"A[M=13_X, K=6] * B[K, N=9_X] -> C[M, N_X]", kOneAxis},
    {"A[M=13_X, K=6] * B[K_X, N=9] -> C[M_X, N]", kOneAxis},
    {"bf16 A[M=13_X, K=6] * bf16 B[K_X, N=9] -> bf16 C[M_X, N]", kOneAxis},
    {"A[M=13, K=7_X] * B[K_X, N=9] -> C[M_X, N]", kOneAxis},
    {"f16 A[M=13, K=7_X] * f16 B[K_X, N=9] -> f16 C[M_X, N]", kOneAxis},
    {"A[M=6, K=7_X] * B[K_X, N=9] -> C[M, N]", kOneAxis},
    {"i8 A[M=5, K=3_X] * i8 B[K_X, N=2] -> i32 C[M_X, N]", kOneAxis},
    {"A[B=5_X, M=4, K=3] * B[B=5, K, N=4_X] -> C[B, M, N_X]", kOneAxis},
    {"A[M=13_X, K=6] * B[K, N=9_X] -> C[M_X, N]", kOneAxis},
    {"A[M=13_X, K=6] * B[K, N=9_X] -> C[M, N]", kOneAxis},
    {"A[M=13_XY, K=6] * B[K, N=5_Y] -> C[M_X, N_Y]", kTwoAxes},
    {"A[M=7_X, K=12_Y] * B[K_Y, N=5] -> C[M_X, N]", kTwoAxes},
    {"A[M=7_X, K=12_Y] * B[K, N=5_Y] -> C[M, N_Y]", kTwoAxes},
    {"A[M=7, K=12_XY] * B[K_XY, N=5] -> C[M_X, N_Y]", kTwoAxes},
    {"A[M=7, K=12_XY] * B[K_X, N=6_Y] -> C[M_Y, N]", kTwoAxes},
    {"A[M=12, K=8_XYZ] * B[K_XYZ, N=6] -> C[M_Z, N]", kThreeAxes},
    {"A[M=2, K=3_X] * B[K_Y, N=1] -> C[M, N]", kTwoAxes},
    {"A[I=6_X] * B[I_Y] -> C[]", kTwoAxes},
    {"A[M=6, K=5]{U_X} * B[K, N=4_X] -> C[M_X, N]", kOneAxis},
    {"A[M=6, K=5_Y]{U_X} * B[K_Y, N=4] -> C[M_X, N]{U_Y}", kTwoAxes},
};

std::vector<Plan> all_plans(const Case& c) { return testing::all_plans(c.statement, c.mesh); }
Plan plan_taken(const Case& c) { return all_plans(c).back(); }

std::vector<OverlapOptions> all_options() {
  std::vector<OverlapOptions> all;
  for (const Design gather : designs())
    for (const Design reduce : designs()) {
      OverlapOptions options;
      options.gather = gather;
      options.reduce = reduce;
      all.push_back(options);
    }
  OverlapOptions fine;
  fine.chunks_per_shard = 3;
  fine.rows_per_round = 1;
  fine.slots = 3;
  fine.copy_bytes = 16;
  fine.copy_lanes = 2;
  for (const Design design : {Design::kInPlace, Design::kPull, Design::kPush}) {
    fine.gather = fine.reduce = design;
    all.push_back(fine);
  }
  return all;
}

std::string str(const OverlapOptions& options) {
  return std::string(name(options.gather)) + ", " + std::string(name(options.reduce));
}

TEST(OverlappedProduct, IsProvenAndRightByEveryDesignForEveryPlan) {
  int number = 0;
  for (const Case& c : kCases)
    for (const Plan& plan : all_plans(c))
      for (const OverlapOptions& options : all_options()) {
        if (++number % (3 * MESHMUL_RANDOM_CASE_DIVISOR) != 0)
          continue;  // a part that has every design with every case
        const Schedule schedule = lower(plan, {Algorithm::kAutomatic, options});
        SCOPED_TRACE(str(options) + "\n" + to_string(plan) + to_string(schedule));
        testing::expect_proven(schedule);
        testing::expect_right_numbers(schedule, static_cast<std::uint64_t>(number));
        if (HasFailure()) return;
      }
}

TEST(OverlappedProduct, RunsOnEveryKindOfBackend) {
  for (const Case& c : {kCases[0], kCases[1], kCases[3], kCases[5], kCases[13]})
    for (const OverlapOptions& options : all_options()) {
      if (options.gather != options.reduce) continue;
      const Schedule schedule = lower(plan_taken(c), {Algorithm::kAutomatic, options});
      for (const Capabilities& available : testing::all_capabilities()) {
        const Schedule legal = legalize(schedule, available);
        SCOPED_TRACE(c.statement + ", " + str(options) + "\n" + to_string(legal));
        EXPECT_TRUE(testing::within(legal.capabilities, available));
        testing::expect_proven(legal);
        testing::expect_right_numbers(legal);
        if (HasFailure()) return;
      }
    }
}

TEST(OverlappedProduct, NoWaitCanBeLeftOut) {
  for (const Case& c : {kCases[0], kCases[1], kCases[3], kCases[5]})
    for (const OverlapOptions& options : all_options()) {
      if (options.gather != options.reduce) continue;
      const Schedule schedule = lower(plan_taken(c), {Algorithm::kAutomatic, options});
      EXPECT_EQ(testing::redundant_wait_in(schedule), std::nullopt) << str(options) << "\n" << to_string(schedule);
    }
}

Schedule by(Design design, const Case& c, OverlapOptions options = {}) {
  options.gather = options.reduce = design;
  return lower(plan_taken(c), {Algorithm::kAutomatic, options});
}

int count_gemms(const Schedule& schedule, int rank) {
  int gemms = 0;
  for (const Lane& lane : schedule.ranks[static_cast<std::size_t>(rank)].lanes)
    for (const Op& op : lane.ops) gemms += std::holds_alternative<Gemm>(op) ? 1 : 0;
  return gemms;
}

TEST(OverlappedProduct, InPlaceMovesNoMemoryAndNeedsNoneBesideInputsAndOutput) {
  for (const Case& c : {kCases[0], kCases[3]}) {
    const Schedule schedule = by(Design::kInPlace, c);
    EXPECT_EQ(schedule.buffers.size(), 3U) << to_string(schedule);
    EXPECT_EQ(count_gemms(schedule, 0), 4);
  }
}

TEST(OverlappedProduct, PullMultipliesItsOwnShardWhereItLiesAndEachChunkAsItComes) {
  OverlapOptions options;
  options.chunks_per_shard = 2;
  const Schedule schedule = by(Design::kPull, kCases[0], options);
  EXPECT_EQ(count_gemms(schedule, 0), 6) << "its own shard, two chunks of rank 1 and 2 each, the row of rank 3\n"
                                         << to_string(schedule);
  const std::vector<Op>& compute = schedule.ranks[0].lanes.back().ops;
  EXPECT_TRUE(std::holds_alternative<Gemm>(compute.front())) << "the own shard waits for nobody";
}

TEST(OverlappedProduct, PushHoldsTwoRoundsOfEveryPeer) {
  OverlapOptions options;
  options.rows_per_round = 2;
  const Schedule schedule = by(Design::kPush, {"A[M=24_X, K=6] * B[K, N=8_X] -> C[M, N_X]", kOneAxis}, options);
  // A, B and C take 6 x 6, 6 x 2 and 24 x 2 elements, and two slots three times 2 x 6.
  EXPECT_EQ(bytes_per_rank(schedule), 4 * (36 + 12 + 48 + 2 * 3 * 12)) << to_string(schedule);
  EXPECT_EQ(count_gemms(schedule, 0), 1 + 3 * 3);
}

TEST(OverlappedProduct, SumsOfNarrowDtypesAreRoundedOnce) {
  for (const Design design : designs()) {
    const Schedule schedule = by(design, kCases[2]);
    for (const RankProgram& rank : schedule.ranks)
      for (const Lane& lane : rank.lanes)
        for (const Op& op : lane.ops)
          if (const auto* gemm = std::get_if<Gemm>(&op); gemm != nullptr && gemm->accumulate) {
            EXPECT_EQ(schedule.buffers[static_cast<std::size_t>(gemm->c.buffer)].dtype, Dtype::kF32);
          }
  }
}

TEST(OverlappedProduct, OptionsOutOfRangeAreRefused) {
  const auto message = [](auto change) {
    OverlapOptions options;
    options.gather = Design::kPush;
    change(options);
    return testing::message_of([&] { (void)lower(plan_taken(kCases[0]), {Algorithm::kAutomatic, options}); });
  };
  EXPECT_EQ(message([](OverlapOptions& o) { o.chunks_per_shard = 0; }),
            "the number of chunks per shard is 0; it must be at least 1");
  EXPECT_EQ(message([](OverlapOptions& o) { o.rows_per_round = 0; }),
            "the number of rows per round is 0; it must be at least 1");
  EXPECT_EQ(message([](OverlapOptions& o) { o.slots = 1; }), "the number of slots is 1; it must be at least 2");
  EXPECT_EQ(message([](OverlapOptions& o) { o.copy_bytes = 0; }),
            "the size of a copy in bytes is 0; it must be at least 1");
  EXPECT_EQ(message([](OverlapOptions& o) { o.copy_lanes = 0; }),
            "the number of copy lanes is 0; it must be at least 1");
}

}  // namespace
}  // namespace meshmul
