#include <gmock/gmock.h>

#include "meshmul/statement.hpp"
#include "meshmul/tune.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

const Mesh kMesh{{"X", 4}};

Plan plan_of(std::string_view statement, std::string_view hardware = "cpu") {
  return plan(parse_statement(statement, kMesh), kMesh, find_hardware(hardware));
}

std::vector<std::string> ways(std::string_view statement, std::string_view hardware = "cpu",
                              const Capabilities& available = {}) {
  std::vector<std::string> texts;
  for (const LowerOptions& way : ways_to_build(plan_of(statement, hardware), find_hardware(hardware), available))
    texts.push_back(to_string(way));
  return texts;
}

constexpr std::string_view kGather = "A[M=512_X, K=512] * B[K, N=512_X] -> C[M, N_X]";
constexpr std::string_view kReduce = "A[M=512, K=512_X] * B[K_X, N=512] -> C[M_X, N]";

TEST(WaysToBuild, WhereNothingMovesThereIsOne) {
  EXPECT_THAT(ways("A[M=512_X, K=512] * B[K, N=512] -> C[M_X, N]"), ElementsAre("direct"));
}

TEST(WaysToBuild, ACollectiveIsBuiltByEachAlgorithm) {
  EXPECT_THAT(ways("A[M=512_X, K=512] -> A[M, K]"), ElementsAre("direct", "ring", "ring-both-ways"));
}

TEST(WaysToBuild, BesideAProductTheDesignsComeToo) {
  EXPECT_THAT(ways(kGather),
              ElementsAre("direct", "ring", "ring-both-ways", "overlapped in-place", "overlapped pull",
                          "overlapped pull in 2 chunks", "overlapped pull in 4 chunks", "overlapped push into 2 slots",
                          "overlapped ring", "overlapped ring-both-ways"));
  EXPECT_THAT(ways(kReduce), Contains("overlapped push in 4 chunks"));
}

TEST(WaysToBuild, InPlaceIsForDevicesThatShareAMemoryAndBackendsThatReachIt) {
  EXPECT_THAT(ways(kGather, "h100:4"), Not(Contains("overlapped in-place")));
  EXPECT_THAT(ways(kGather, "cpu", {.addressable = false}), Not(Contains("overlapped in-place")));
}

LowerOptions by(Design design) {
  LowerOptions options;
  options.overlap.gather = options.overlap.reduce = design;
  return options;
}

TEST(Applied, ASideBesideWhichNothingMovesIsSequential) {
  const LowerOptions gather = applied(by(Design::kPull), plan_of(kGather));
  EXPECT_EQ(gather.overlap.gather, Design::kPull);
  EXPECT_EQ(gather.overlap.reduce, Design::kSequential);
  const LowerOptions reduce = applied(by(Design::kPush), plan_of(kReduce));
  EXPECT_EQ(reduce.overlap.gather, Design::kSequential);
  EXPECT_EQ(reduce.overlap.reduce, Design::kPush);
}

// One product gathers, the other one reduces.
constexpr std::string_view kLayer = "X[B=64, D=32_X]\nW1[D, F=64_X]\nW2[F_X, D]\nH = relu(X * W1)\nY = H * W2 like X\n";

ProgramPlan program_plan_of(std::string_view text) {
  return plan(parse_program(text, kMesh), kMesh, find_hardware("cpu"));
}

TEST(WaysToBuild, AProgramIsOverlappedWhereAnyOfItsProductsIs) {
  std::vector<std::string> texts;
  for (const LowerOptions& way : ways_to_build(program_plan_of(kLayer), find_hardware("cpu"), {}))
    texts.push_back(to_string(way));
  EXPECT_THAT(texts, Contains("overlapped push into 2 slots, sums push in 2 chunks"));
  EXPECT_THAT(texts, Contains("direct"));
}

TEST(Applied, EachSideOfAProgramCountsInSomeProduct) {
  EXPECT_EQ(applied(by(Design::kRing), program_plan_of(kLayer)), by(Design::kRing));
  const std::string_view gather = "X[B=64, D=32_X]\nW1[D, F=64_X]\nH = relu(X * W1)\n";
  EXPECT_EQ(applied(by(Design::kRing), program_plan_of(gather)).overlap.reduce, Design::kSequential);
}

TEST(Applied, OverlapOfNothingIsRefused) {
  EXPECT_EQ(testing::message_of(
                [] { (void)applied(by(Design::kRing), plan_of("A[M=512_X, K=512] * B[K, N=512] -> C[M_X, N]")); }),
            "overlapped ring, sums ring has nothing to overlap: in this plan no operand is gathered or exchanged right "
            "before a product, and no sums are reduced right after it");
}

}  // namespace
}  // namespace meshmul
