#include <gmock/gmock.h>

#include "meshmul/statement.hpp"
#include "meshmul/tune.hpp"

namespace meshmul {
namespace {

using ::testing::AllOf;
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

TEST(WaysToBuild, ShardsHaveAsManyRowsAsChunks) {
  EXPECT_THAT(ways("A[M=8_X, K=512] * B[K, N=512_X] -> C[M, N_X]"),
              AllOf(Contains("overlapped pull in 2 chunks"), Not(Contains("overlapped pull in 4 chunks"))));
  EXPECT_THAT(ways(kReduce), Not(Contains("overlapped pull in 2 chunks"))) << "sums are pulled whole";
}

TEST(WaysToBuild, InPlaceIsForDevicesThatShareAMemoryAndBackendsThatReachIt) {
  EXPECT_THAT(ways(kGather, "h100:4"), Not(Contains("overlapped in-place")));
  EXPECT_THAT(ways(kGather, "cpu", {.addressable = false}), Not(Contains("overlapped in-place")));
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

}  // namespace
}  // namespace meshmul
