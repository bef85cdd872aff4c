#include "plan/on_chip.hpp"

#include <gtest/gtest.h>

#include "meshmul/way.hpp"

namespace meshmul {
namespace {

const Mesh kMesh{{"X", 4}};
constexpr double kShard = 256 * 1024 * 2;

std::optional<OnChip> needed_by(const char* way, const char* hardware = "v5p") {
  const Hardware chip = find_hardware(hardware);
  return on_chip(price_way(parse_way(way, kMesh), kMesh, chip).steps, kMesh, chip);
}

TEST(OnChip, HoldsWholeArraysWhereNothingMoves) {
  const OnChip needed = needed_by("bf16 A[I=1024_X, J=1024] * B[J, K=1024] -> C[I_X, K]").value();
  EXPECT_EQ(needed.shard_bytes, kShard + 4 * kShard + kShard);
  EXPECT_EQ(needed.slot_bytes, 0);
  EXPECT_EQ(needed.available_bytes, 128'000'000);
  EXPECT_TRUE(needed.fits());
}

TEST(OnChip, HoldsTheShardAndTwoChunksOfAnArrayThatArrives) {
  const OnChip needed =
      needed_by("AllGather_X(bf16 A[I=1024_X, J=1024]); A[I, J] * B[J, K=1024_X] -> C[I, K_X]").value();
  EXPECT_EQ(needed.shard_bytes, 3 * kShard);
  EXPECT_EQ(needed.slot_bytes, 2 * kShard);
}

TEST(OnChip, HoldsTheShardAndTwoChunksOfAnOutputThatIsScattered) {
  const OnChip needed =
      needed_by("bf16 A[I=1024, J=1024_X] * B[J_X, K=1024] -> C[I, K]{U_X}; ReduceScatter_X,I(C[I, K]{U_X})").value();
  EXPECT_EQ(needed.shard_bytes, 3 * kShard);
  EXPECT_EQ(needed.slot_bytes, 2 * kShard);
}

TEST(OnChip, HoldsAWholeOutputThatIsReduced) {
  const OnChip needed =
      needed_by("bf16 A[I=1024, J=1024_X] * B[J_X, K=1024] -> C[I, K]{U_X}; AllReduce_X(C[I, K]{U_X})").value();
  EXPECT_EQ(needed.shard_bytes, 2 * kShard + 4 * kShard);
  EXPECT_EQ(needed.slot_bytes, 2 * kShard);
}

TEST(OnChip, SaysWhatIsTooMuch) {
  EXPECT_FALSE(needed_by("bf16 A[I=32768_X, J=8192] * B[J, K=8192] -> C[I_X, K]")->fits());
}

TEST(OnChip, IsNotKnownOfEveryChipNorOfMovesAlone) {
  EXPECT_FALSE(needed_by("AllGather_X(bf16 A[I=1024_X, J=1024])"));
  EXPECT_FALSE(needed_by("bf16 A[I=1024_X, J=1024] * B[J, K=1024] -> C[I_X, K]", "cpu"));
}

}  // namespace
}  // namespace meshmul
