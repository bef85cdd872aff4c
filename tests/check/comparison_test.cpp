#include "check/comparison.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace meshmul::checking {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool agree(Dtype dtype, double found, double expected, double bound) {
  Comparison comparison;
  comparison.add(dtype, 0, found, expected, bound);
  return comparison.ok();
}

TEST(Comparison, AllowsErrorsUpToTheBound) {
  EXPECT_TRUE(agree(Dtype::kF32, 1.5, 1, 0.5));
  EXPECT_FALSE(agree(Dtype::kF32, 1.5, 1, 0.49));
  EXPECT_TRUE(agree(Dtype::kI32, 7, 7, 0));
  EXPECT_FALSE(agree(Dtype::kI32, 7, 8, 0));
}

TEST(Comparison, WantsNanAndInfinityWhereTheyAreExpected) {
  EXPECT_TRUE(agree(Dtype::kF32, kNan, kNan, kNan));
  EXPECT_TRUE(agree(Dtype::kF32, -kInfinity, -kInfinity, kInfinity));
  EXPECT_FALSE(agree(Dtype::kF32, kNan, 1, 1e30));
  EXPECT_FALSE(agree(Dtype::kF32, 1, kNan, 1e30));
  EXPECT_FALSE(agree(Dtype::kF32, kInfinity, 1, 1e30));
  EXPECT_FALSE(agree(Dtype::kF32, kInfinity, -kInfinity, 1e30));
  EXPECT_FALSE(agree(Dtype::kF32, kNan, kInfinity, 1e30));
  EXPECT_FALSE(agree(Dtype::kF32, 1, kInfinity, 1e30));
  EXPECT_FALSE(agree(Dtype::kF64, 1, kInfinity, kInfinity));
}

TEST(Comparison, GivesNoBoundToWhatIsNotFinite) {
  Comparison comparison;
  comparison.add(Dtype::kF32, 0, kNan, kNan, kNan);
  EXPECT_EQ(comparison.worst().bound, 0);
}

TEST(Comparison, AnErrorWithAnInfiniteBoundIsTheLeastOfAll) {
  Comparison comparison;
  comparison.add(Dtype::kF64, 0, 1e300, 0, kInfinity);
  comparison.add(Dtype::kF64, 1, 1, 2, 1e300);
  EXPECT_TRUE(comparison.ok());
  EXPECT_EQ(comparison.worst().offset, 1);
}

TEST(Comparison, AllowsWhatOverflowsTheDtype) {
  EXPECT_TRUE(agree(Dtype::kF16, kInfinity, 70'000, 1));
  EXPECT_TRUE(agree(Dtype::kF16, -kInfinity, -70'000, 1));
  EXPECT_FALSE(agree(Dtype::kF16, -kInfinity, 70'000, 1));
  EXPECT_TRUE(agree(Dtype::kF16, kInfinity, 65'500, 40));  // 65520 rounds to infinity
  EXPECT_FALSE(agree(Dtype::kF16, kInfinity, 65'000, 40));
  EXPECT_TRUE(agree(Dtype::kF8e4m3, kNan, 500, 1));
  EXPECT_FALSE(agree(Dtype::kF8e4m3, kNan, 400, 1));
  EXPECT_FALSE(agree(Dtype::kF32, kInfinity, 70'000, 1));
}

TEST(Comparison, KeepsTheWorstWhateverTheOrder) {
  Comparison a;
  a.add(Dtype::kF32, 3, 1.1, 1, 1);
  a.add(Dtype::kF32, 4, 100.5, 100, 10);
  a.add(Dtype::kF32, 5, 0, 0, 0);
  Comparison b;
  b.add(Dtype::kF32, 1, 1.001, 1, 0.002);
  b.add(Dtype::kF32, 2, 2.001, 2, 0.002);
  Comparison ab = a;
  ab.merge(b);
  Comparison ba = b;
  ba.merge(a);
  ba.merge(Comparison());
  for (const Comparison& merged : {ab, ba}) {
    EXPECT_EQ(merged.count(), 5);
    EXPECT_TRUE(merged.ok());
    EXPECT_LE(merged.worst().offset, 2);
    EXPECT_EQ(merged.worst().bound, 0.002);
  }
  EXPECT_EQ(ab.worst().offset, ba.worst().offset);
}

TEST(Comparison, AnErrorWithoutABoundIsTheWorstOfAll) {
  Comparison comparison;
  comparison.add(Dtype::kI32, 0, 1e9, 0, 1);
  comparison.add(Dtype::kI32, 1, 1, 0, 0);
  EXPECT_EQ(comparison.worst().offset, 1);
  EXPECT_FALSE(comparison.ok());
}

}  // namespace
}  // namespace meshmul::checking
