#include <gmock/gmock.h>

#include "meshmul/statement.hpp"
#include "meshmul/tune.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 4}};

Plan plan_of(std::string_view statement, const Mesh& mesh = kMesh) {
  return plan(parse_statement(statement, mesh), mesh, find_hardware("cpu"));
}

ProgramPlan program_plan_of(std::string_view text) {
  return plan(parse_program(text, kMesh), kMesh, find_hardware("cpu"));
}

// Shards of A have 128 rows, blocks of sums too.
constexpr std::string_view kGather = "A[M=512_X, K=512] * B[K, N=512_X] -> C[M, N_X]";
constexpr std::string_view kReduce = "A[M=512, K=512_X] * B[K_X, N=512] -> C[M_X, N]";
// One product gathers, the other one reduces.
constexpr std::string_view kLayer = "X[B=64, D=32_X]\nW1[D, F=64_X]\nW2[F_X, D]\nH = relu(X * W1)\nY = H * W2 like X\n";

LowerOptions by(Design design) {
  LowerOptions options;
  options.overlap.gather = options.overlap.reduce = design;
  return options;
}

LowerOptions in_chunks(Design design, int chunks) {
  LowerOptions options = by(design);
  options.overlap.chunks_per_shard = chunks;
  return options;
}

LowerOptions pushed(std::int64_t rows, int slots) {
  LowerOptions options = by(Design::kPush);
  options.overlap.rows_per_round = rows;
  options.overlap.slots = slots;
  return options;
}

template <class AnyPlan>
std::string refusal(const LowerOptions& options, const AnyPlan& plan) {
  return testing::message_of([&] { (void)applied(options, plan); });
}

TEST(Applied, ASideBesideWhichNothingMovesIsSequential) {
  const LowerOptions gather = applied(by(Design::kPull), plan_of(kGather));
  EXPECT_EQ(gather.overlap.gather, Design::kPull);
  EXPECT_EQ(gather.overlap.reduce, Design::kSequential);
  const LowerOptions reduce = applied(by(Design::kPush), plan_of(kReduce));
  EXPECT_EQ(reduce.overlap.gather, Design::kSequential);
  EXPECT_EQ(reduce.overlap.reduce, Design::kPush);
}

TEST(Applied, EachSideOfAProgramCountsInSomeProduct) {
  EXPECT_EQ(applied(by(Design::kRing), program_plan_of(kLayer)), by(Design::kRing));
  const std::string_view gather = "X[B=64, D=32_X]\nW1[D, F=64_X]\nH = relu(X * W1)\n";
  EXPECT_EQ(applied(by(Design::kRing), program_plan_of(gather)).overlap.reduce, Design::kSequential);
}

TEST(Applied, OverlapOfNothingIsRefused) {
  EXPECT_EQ(refusal(by(Design::kRing), plan_of("A[M=512_X, K=512] * B[K, N=512] -> C[M_X, N]")),
            "overlapped ring, sums ring has nothing to overlap: in this plan no operand is gathered or exchanged right "
            "before a product, and no sums are reduced right after it");
}

TEST(Applied, ThereAreNoMoreChunksThanRows) {
  EXPECT_EQ(applied(in_chunks(Design::kPull, 128), plan_of(kGather)).overlap.chunks_per_shard, 128);
  EXPECT_EQ(refusal(in_chunks(Design::kPull, 129), plan_of(kGather)),
            "129 chunks per shard do not fit: the largest one that moves beside a product has 128 rows; expected at "
            "most 128");
  EXPECT_EQ(refusal(in_chunks(Design::kPush, 129), plan_of(kReduce)),
            "129 chunks per shard do not fit: the largest one that moves beside a product has 128 rows; expected at "
            "most 128");
  EXPECT_EQ(
      refusal(in_chunks(Design::kPull, 65), program_plan_of(kLayer)),
      "65 chunks per shard do not fit: the largest one that moves beside a product has 8 rows; expected at most 8")
      << "D, which is gathered, has 8 rows a rank; sums are pulled whole";
}

TEST(Applied, ThereAreNoMoreChunksThanASchedulePiecesHolds) {
  EXPECT_EQ(refusal(in_chunks(Design::kPull, 1000000), plan_of("A[M=8000000_X, K=8] * B[K, N=8000000_X] -> C[M, N_X]")),
            "1000000 chunks per shard do not fit: the largest one that moves beside a product has 2000000 rows; "
            "expected at most 87381");
}

TEST(Applied, RoundsHaveNoMoreRowsThanAShardAndSlotsAreNoMoreThanRounds) {
  EXPECT_EQ(applied(pushed(32, 4), plan_of(kGather)).overlap.slots, 4);
  EXPECT_EQ(applied(pushed(128, 2), plan_of(kGather)).overlap.slots, 2) << "two slots are the least that there are";
  EXPECT_EQ(
      refusal(pushed(129, 2), plan_of(kGather)),
      "129 rows per round do not fit: the largest shard that moves beside a product has 128 rows; expected from 1 "
      "to 128");
  EXPECT_EQ(refusal(pushed(30, 6), plan_of(kGather)),
            "6 slots do not fit: 128 rows by 30 take 5 rounds; expected at most 5");
  EXPECT_EQ(
      refusal(pushed(1, 2), plan_of("A[M=8000000_X, K=8] * B[K, N=8000000_X] -> C[M, N_X]")),
      "1 rows per round do not fit: the largest shard that moves beside a product has 2000000 rows; expected from "
      "23 to 2000000");
}

TEST(Applied, RingsNeedSomethingThatGoesRound) {
  const Mesh mesh{{"X", 2}, {"Y", 2}};
  EXPECT_EQ(refusal({Algorithm::kRing, {}}, plan_of("A[I=8_XY, J=4] -> A[I_YX, J]", mesh)),
            "ring does not apply: of this plan Permute goes from point to point; expected direct");
  LowerOptions both = by(Design::kPull);
  both.algorithm = Algorithm::kRingBothWays;
  EXPECT_EQ(refusal(both, plan_of(kGather)),
            "ring-both-ways has nothing to build: this plan has no collective that is not overlapped");
  EXPECT_EQ(applied({Algorithm::kRing, {}}, plan_of(kGather)).algorithm, Algorithm::kRing);
  EXPECT_EQ(applied({Algorithm::kRing, {}}, plan_of("A[M=512_X, K=512] * B[K, N=512] -> C[M_X, N]")).algorithm,
            Algorithm::kDirect)
      << "where nothing moves all are alike";
}

ProgramWay named(const LowerOptions& all, std::vector<NamedOverlap> products) {
  return applied(all, products, program_plan_of(kLayer));
}

TEST(Applied, ProductsThatAreNamedHaveTheirOwn) {
  const ProgramWay way = named({}, {{"H", by(Design::kPull).overlap}});
  ASSERT_EQ(way.parts.size(), 2U);
  EXPECT_EQ(way.parts[0].name, "H");
  EXPECT_EQ(way.parts[0].lower.overlap.gather, Design::kPull);
  EXPECT_EQ(way.parts[0].lower.overlap.reduce, Design::kSequential) << "nothing is reduced beside it";
  EXPECT_EQ(way.of(way.parts[0].part), way.parts[0].lower);
  EXPECT_EQ(way.parts[1].name, "Y");
  EXPECT_EQ(way.parts[1].lower, (LowerOptions{Algorithm::kDirect, {}})) << "the rest is not overlapped";
  EXPECT_EQ(named(by(Design::kRing), {{"Y", by(Design::kPush).overlap}}).rest, by(Design::kRing));
  EXPECT_EQ(named(by(Design::kRing), {}), ProgramWay(by(Design::kRing)));
}

TEST(Applied, NamesOfNoProductAreRefused) {
  const auto refusal_of = [](const std::string& name, const OverlapOptions& overlap) {
    return testing::message_of([&] { (void)named({}, {{name, overlap}}); });
  };
  EXPECT_EQ(refusal_of("W1", by(Design::kPull).overlap), "no product makes W1; those of the program make H and Y");
  EXPECT_EQ(refusal_of("H", in_chunks(Design::kPull, 65).overlap),
            "H: 65 chunks per shard do not fit: the largest one that moves beside a product has 8 rows; expected at "
            "most 8");
}

}  // namespace
}  // namespace meshmul
