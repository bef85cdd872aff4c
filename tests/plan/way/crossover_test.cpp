#include "meshmul/crossover.hpp"

#include <gtest/gtest.h>

#include "plan/toy_hardware.hpp"
#include "support/error_of.hpp"

namespace meshmul {
namespace {

using testing::error_of;

const Mesh kMesh{{"X", 4}};

/// In the limit the sizes at which two ways meet are round numbers.
PlanOptions book() {
  PlanOptions options;
  options.cost = *find_cost_model("book");
  return options;
}

PlanOptions overlapped() {
  PlanOptions options = book();
  options.overlapped = true;
  return options;
}

/// 10 FLOP/s, links of 5 B/s, which is 10 B/s over both directions of an axis; memory and hops cost next to nothing.
Hardware machine() {
  Hardware hardware = testing::toy_hardware();
  hardware.chip.flops_per_second = {{Dtype::kI8, 10}};
  hardware.chip.memory_bytes_per_second = 1e12;
  hardware.network.link_bytes_per_second = 5;
  hardware.network.hop_seconds = 1e-9;
  return hardware;
}

Crossover crossing(const std::string& first, const std::string& second, const std::string& unknown,
                   const PlanOptions& options = overlapped()) {
  return crossover(parse_way(first, kMesh), parse_way(second, kMesh), parse_unknown(unknown), kMesh, machine(),
                   options);
}

/// Gathering J K bytes against reducing 2 I K bytes.
TEST(Crossover, IsWhereTheBytesAreEqual) {
  const Crossover found = crossing("AllGather_X(i8 B[J=1000_X, K=64])", "AllReduce_X(i8 C[I, K=64]{U_X})", "I");
  EXPECT_EQ(found.at_low, Shorter::kSecond);
  ASSERT_EQ(found.crossings.size(), 1);
  EXPECT_NEAR(found.crossings[0].at, 500, 1e-6);
  EXPECT_EQ(found.crossings[0].whole, 501);
  EXPECT_EQ(found.crossings[0].above, Shorter::kFirst);
}

/// 2 I J K / 10 seconds of arithmetic against I K / 10 of gathering.
TEST(Crossover, CountsProductsAndMovesAsTheyOverlap) {
  const char* repeated = "i8 A[I=64, J] * B[J, K=64] -> C[I, K]";
  const char* shared = "i8 A[I=64_X, J] * B[J, K=64] -> C[I_X, K]; AllGather_X(C[I_X, K])";
  const Crossover overlap = crossing(repeated, shared, "J=1..1000");
  ASSERT_EQ(overlap.crossings.size(), 1);
  EXPECT_NEAR(overlap.crossings[0].at, 2, 1e-6);  // a sum in i32 has four bytes
  EXPECT_EQ(overlap.crossings[0].above, Shorter::kSecond);
  EXPECT_EQ(overlap.at_low, Shorter::kFirst);
  // Without overlap a quarter of the arithmetic comes on top: 2 J = 4 + J / 2.
  const Crossover sum = crossing(repeated, shared, "J=1..1000", book());
  ASSERT_EQ(sum.crossings.size(), 1);
  EXPECT_NEAR(sum.crossings[0].at, 8.0 / 3, 1e-6);
  EXPECT_EQ(sum.crossings[0].whole, 3);
}

/// 100 + 2 I seconds against the longer of 200 and 3 I.
TEST(Crossover, ThereMayBeSeveral) {
  const Crossover found = crossing("AllGather_X(i8 D[L=1000_X]); AllGather_X(A[I_X, J=20])",
                                   "AllGather_X(i8 D[L=2000_X]); i8 E[I, M=5] * F[M, N=3] -> G[I, N]", "I=1..1000");
  EXPECT_EQ(found.at_low, Shorter::kFirst);
  ASSERT_EQ(found.crossings.size(), 2);
  EXPECT_NEAR(found.crossings[0].at, 50, 1e-6);
  EXPECT_EQ(found.crossings[0].above, Shorter::kSecond);
  EXPECT_NEAR(found.crossings[1].at, 100, 1e-6);
  EXPECT_EQ(found.crossings[1].above, Shorter::kFirst);
}

TEST(Crossover, ThereMayBeNone) {
  const Crossover found = crossing("AllGather_X(i8 A[I_X, J=2])", "AllGather_X(i8 A[I_X, J=1])", "I=1000..2000");
  EXPECT_TRUE(found.crossings.empty());
  EXPECT_EQ(found.at_low, Shorter::kSecond);
}

/// Below 20000 bytes both wait for one hop of a microsecond, at 10 GB/s.
TEST(Crossover, TellsWhereNeitherIsShorter) {
  const Mesh mesh{{"X", 2}};
  const Crossover found =
      crossover(parse_way("AllGather_X(i8 A[I=64_X])", mesh), parse_way("AllGather_X(i8 B[J_X])", mesh),
                parse_unknown("J"), mesh, find_hardware("cpu"), book());
  EXPECT_EQ(found.at_low, Shorter::kNeither);
  ASSERT_EQ(found.crossings.size(), 1);
  EXPECT_NEAR(found.crossings[0].at, 20'000, 1e-3);
  EXPECT_EQ(found.crossings[0].above, Shorter::kFirst);
}

TEST(Crossover, RefusesAnUnknownThatNoStepHas) {
  EXPECT_EQ(error_of([] { crossing("AllGather_X(A[I=4_X])", "AllGather_X(A[J=4_X])", "K"); }),
            "no step has an index K");
}

/// 41 rows in blocks of X=4 take as long as 44.
TEST(Crossover, RoundsBlocksUpForTheWholeSize) {
  const Crossover found =
      crossing("i8 A[I=41_X, J=8] * B[J, K=8] -> C[I_X, K]", "i8 A[L_X, J=8] * B[J, K=8] -> C[L_X, K]", "L");
  ASSERT_EQ(found.crossings.size(), 1);
  EXPECT_NEAR(found.crossings[0].at, 41, 1e-6);
  EXPECT_EQ(found.crossings[0].whole, 45);
}

TEST(Balance, IsWhereProductsBeginToHideMoves) {
  const Way way = parse_way("AllGather_X(i8 B[J=64_X, K=64]); A[I, J] * B[J, K] -> C[I, K]", kMesh);
  Hardware fast = machine();
  fast.chip.flops_per_second = {{Dtype::kI8, 100}};
  const Crossover found = balance(way, parse_unknown("I"), kMesh, fast, book());
  ASSERT_EQ(found.crossings.size(), 1);
  EXPECT_NEAR(found.crossings[0].at, 5, 1e-6);
  EXPECT_EQ(found.at_low, Shorter::kSecond);
}

TEST(Unknown, IsReadWithItsRange) {
  EXPECT_EQ(parse_unknown("B").name, "B");
  EXPECT_EQ(parse_unknown("B=128..4096").low, 128);
  EXPECT_EQ(parse_unknown("B=128..4096").high, 4096);
}

TEST(Unknown, IsRefusedWithItsPlace) {
  const auto refusal = [](const char* text) { return error_of([&] { parse_unknown(text); }); };
  EXPECT_EQ(refusal("B=8..4"), "B=8..4\n     ^ the largest size must be above the least, 8");
  EXPECT_EQ(refusal("B=0..4"), "B=0..4\n  ^ sizes are looked for from 1 to 9007199254740992; found 0");
  EXPECT_EQ(refusal("B=8"), "B=8\n   ^ expected '..' and the largest size; the text ends here");
  EXPECT_EQ(refusal("8..9"), "8..9\n^ expected an index, as in B or B=1..4096; found '8'");
  EXPECT_EQ(refusal("B 9"), "B 9\n  ^ expected '=' and a range such as 1..4096, or nothing; found '9'");
}

}  // namespace
}  // namespace meshmul
