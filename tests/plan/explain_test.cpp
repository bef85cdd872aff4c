#include "plan/explain.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

using ::testing::ElementsAre;

Plan planned(const std::string& text, const Mesh& mesh, const PlanOptions& options = {}) {
  return plan(parse_statement(text, mesh), mesh, find_hardware("v5p"), options);
}

std::vector<std::string> cases(const std::string& text, const Mesh& mesh) { return planned(text, mesh).cases; }

const Mesh kX4{{"X", 4}};
const Mesh kX4Y4{{"X", 4}, {"Y", 4}};

TEST(Explain, EveryAxisHasItsCase) {
  EXPECT_THAT(cases("bf16 A[I=8192_X, J=8192] * B[J, K=8192_Y] -> C[I_X, K_Y]", kX4Y4),
              ElementsAre("X: case 1, cuts I of A alone; no moves; the product is cut along I",
                          "Y: case 1, cuts K of B alone; no moves; the product is cut along K"));
  EXPECT_THAT(cases("bf16 A[I=8192, J=32768_X] * B[J, K=512] -> C[I, K]", kX4),
              ElementsAre("X: case 2, cuts the contracted J of A alone; Slice of B, AllReduce of C; the product is cut "
                          "along J, which leaves partial sums"));
  EXPECT_THAT(cases("bf16 A[I=64_X, J=64] * B[J_X, K=64] -> C[I_X, K]", kX4),
              ElementsAre("X: case 2, cuts the contracted J of B alone and I of A; AllGather of B; the product is cut "
                          "along I"));
  EXPECT_THAT(
      cases("bf16 A[I=4096, J=65536_X] * B[J_X, K=4096] -> C[I, K_X]", kX4),
      ElementsAre("X: case 3, cuts the contracted J of both inputs; ReduceScatter of C; the product is cut along "
                  "J, which leaves partial sums"));
  EXPECT_THAT(cases("bf16 A[I=512_X, J=4096] * B[J, K=65536_X] -> C[I, K_X]", kX4),
              ElementsAre("X: case 4, cuts I of A and K of B; AllGather of A; the product is cut along K"));
}

TEST(Explain, BatchesAndTwoContractedIndicesHaveTheirWords) {
  EXPECT_THAT(cases("bf16 A[G=64_X, I=256, J=256] * B[G_X, J, K=256] -> C[G_X, I, K]", kX4),
              ElementsAre("X: case 1, cuts G of both inputs; no moves; the product is cut along G"));
  EXPECT_THAT(cases("bf16 A[I=64, J=64_X, L=64] * B[J, L_X, K=64] -> C[I, K]", kX4),
              ElementsAre(::testing::StartsWith("X: case 2, cuts the contracted J of A and L of B; ")));
}

TEST(Explain, IdlePartialAndSingleAxesAreSaid) {
  EXPECT_THAT(cases("bf16 A[I=64, J=64] * B[J, K=64] -> C[I, K]", kX4),
              ElementsAre("X: idle, cuts neither input; no moves; its devices repeat the work"));
  EXPECT_THAT(cases("bf16 A[I=8192, J=1024]{U_X} * B[J, K=1024] -> C[I, K]{U_X}", kX4),
              ElementsAre("X: A is partial over it; no moves; partial sums pass through the product"));
  EXPECT_THAT(cases("bf16 A[I=8192, J=1024]{U_X} * B[J, K=16]{U_X} -> C[I, K]{U_X}", kX4),
              ElementsAre("X: A and B are partial over it; AllReduce of B; partial sums pass through the product"));
  EXPECT_THAT(cases("A[I=8, J=4] -> A[I, J]", {{"one", 1}}), ElementsAre("one: has one device, cuts nothing"));
  EXPECT_THAT(cases("AllGather_X(A[I=8_X, J=4])", kX4Y4), ElementsAre("X: AllGather of A", "Y: no moves"));
}

/// Reasons for losing, on prices made up for it.
class Loss : public testing::Test {
 protected:
  static std::string reason(const Price& winner, const Price& loser, double memory_limit = 1e9,
                            bool overlapped = false) {
    const Plan plan = planned("bf16 A[I=512_X, J=4096] * B[J, K=65536_X] -> C[I, K_X]", kX4);
    const Plan other = planned("bf16 A[I=65536_X, J=4096] * B[J, K=512_X] -> C[I_X, K]", kX4);
    return explain_loss({winner, loser, memory_limit, overlapped}, plan.steps, other.steps, kX4);
  }
};

TEST_F(Loss, NamesTheMoveThatTheWinnerDoesNotMake) {
  EXPECT_EQ(reason({1e-6, 1e-6, 1e6, 0, 1}, {3e-6, 1e-6, 3e6, 0, 1}),
            "AllGather_X of B: 2 MB more traffic, 2 us slower");
  EXPECT_EQ(reason({1e-6, 1e-6, 1e6, 0, 1}, {3e-6, 1e-6, 1e6, 0, 1}), "AllGather_X of B: 2 us slower");
}

TEST_F(Loss, NamesTheProductWhereThatIsSlower) {
  const Price winner{2e-6, 1e-6, 1e6, 0, 1};
  const Price loser{1e-6, 4e-6, 1e6, 0, 1};
  EXPECT_EQ(reason(winner, loser), "local product: more bytes of memory, 2 us slower");
  const Plan cut = planned("bf16 A[I=512_X, J=4096] * B[J, K=4096] -> C[I_X, K]", kX4);
  const Plan whole = planned("bf16 A[I=512, J=4096] * B[J, K=4096] -> C[I, K]", {{"X", 1}});
  EXPECT_EQ(explain_loss({winner, loser, 1e9, false}, cut.steps, whole.steps, kX4),
            "local product: 4 times the FLOPs, 2 us slower");
}

TEST_F(Loss, NamesMemoryFirst) {
  EXPECT_EQ(reason({2, 1, 1, 100, 1}, {1, 1, 1, 2000, 1}, 1000), "needs 2 kB a device, more than 1 kB");
}

TEST_F(Loss, OverlapDecidesWhereItWasAskedFor) {
  EXPECT_EQ(reason({3e-6, 3e-6, 0, 0, 1}, {5e-6, 1e-7, 0, 0, 1}, 1e9, true),
            "AllGather_X of B: 2 us slower with overlap");
}

TEST_F(Loss, TiesAreBrokenByBytesThenMemoryThenOrder) {
  EXPECT_EQ(reason({1, 1, 1000, 0, 1}, {1, 1, 3000, 0, 1}), "AllGather_X of B: as fast, 2 kB more traffic");
  EXPECT_EQ(reason({1, 1, 1000, 0, 1}, {1, 1, 1000, 500, 1}), "AllGather_X of B: as fast, 500 B more memory");
  EXPECT_EQ(reason({1, 1, 0, 0, 1}, {1, 1, 0, 0, 2}), "costs the same, and comes later in text order");
}

}  // namespace
}  // namespace meshmul
