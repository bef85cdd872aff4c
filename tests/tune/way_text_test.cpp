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

TEST(WayText, OfAProgramItNamesWhatIsBuiltInSeveralWays) {
  const LowerOptions direct{Algorithm::kDirect, {}}, ring{Algorithm::kRing, {}};
  EXPECT_EQ(to_string(ProgramWay(ring)), "ring");
  EXPECT_EQ(to_string(ProgramWay(direct, {{0, "H", ring}, {1, "G", direct}, {3, "Y", ring}, {4, "Y", ring}})),
            "H, Y: ring; G: direct");
  EXPECT_EQ(to_string(ProgramWay(direct, {{0, "H", ring}, {1, "G", ring}})), "ring") << "there is nothing else";
}

}  // namespace
}  // namespace meshmul
