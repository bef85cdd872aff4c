#include "meshmul/footprint.hpp"

#include <gmock/gmock.h>

#include "meshmul/statement.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Mesh kMesh{{"X", 4}, {"Y", 2}, {"Z", 3}};

Footprint of(const char* text) { return footprint(parse_array(text, kMesh), kMesh); }

TEST(Footprint, CountsShardsAndCopies) {
  const Footprint found = of("bf16 A[I=16_XY, J=10]");
  EXPECT_THAT(found.local_shape, ElementsAre(2, 10));
  EXPECT_EQ(found.local_bytes, 40);
  EXPECT_EQ(found.array_bytes, 320);
  EXPECT_EQ(found.total_bytes, 960);
  EXPECT_THAT(found.shards, ElementsAre(8, 1));
  EXPECT_EQ(found.copies, 3);
  EXPECT_THAT(found.copied_along, ElementsAre(2));
  EXPECT_EQ(found.fraction, 0.125);
  EXPECT_TRUE(found.even);
}

TEST(Footprint, TellsPartialSumsFromCopies) {
  const Footprint found = of("A[I=8_X]{U_Z}");
  EXPECT_EQ(found.copies, 2);
  EXPECT_THAT(found.copied_along, ElementsAre(1));
  EXPECT_THAT(found.partial_along, ElementsAre(2));
}

TEST(Footprint, GoesByTheLargestShard) {
  const Footprint found = of("i8 A[I=10_X]");
  EXPECT_THAT(found.local_shape, ElementsAre(3));
  EXPECT_EQ(found.fraction, 0.3);
  EXPECT_EQ(found.total_bytes, 60);
  EXPECT_FALSE(found.even);
}

TEST(Footprint, TakesEmptyArraysAndScalars) {
  EXPECT_EQ(of("A[I=0_X]").fraction, 1);
  EXPECT_EQ(of("A[]").local_bytes, 4);
  EXPECT_THAT(of("A[]").shards, IsEmpty());
}

}  // namespace
}  // namespace meshmul
