#include <gmock/gmock.h>

#include "meshmul/tune.hpp"

namespace meshmul {
namespace {

std::string text(Design gather, Design reduce, int chunks = 1, std::optional<std::int64_t> rows = std::nullopt) {
  LowerOptions options;
  options.overlap.gather = gather;
  options.overlap.reduce = reduce;
  options.overlap.chunks_per_shard = chunks;
  options.overlap.rows_per_round = rows;
  return to_string(options);
}

TEST(WayText, WithoutOverlapItIsTheAlgorithm) {
  EXPECT_EQ(to_string(LowerOptions{}), "direct") << "which automatic takes";
  EXPECT_EQ(to_string(LowerOptions{Algorithm::kRingBothWays, {}}), "ring-both-ways");
}

TEST(WayText, NamesBothSidesAndTheirPieces) {
  EXPECT_EQ(text(Design::kPull, Design::kSequential, 4), "overlapped pull in 4 chunks");
  EXPECT_EQ(text(Design::kSequential, Design::kRing), "overlapped ring");
  EXPECT_EQ(text(Design::kPush, Design::kInPlace, 2, 512),
            "overlapped push by 512 rows into 2 slots, sums in-place in 2 chunks");
}

}  // namespace
}  // namespace meshmul
