#include <gtest/gtest.h>

#include "meshmul/lower.hpp"

namespace meshmul {
namespace {

TEST(Algorithm, NamesAreReadBack) {
  for (const Algorithm algorithm :
       {Algorithm::kAutomatic, Algorithm::kDirect, Algorithm::kRing, Algorithm::kRingBothWays})
    EXPECT_EQ(parse_algorithm(name(algorithm)), algorithm);
  EXPECT_EQ(name(Algorithm::kRingBothWays), "ring-both-ways");
  EXPECT_EQ(parse_algorithm("rings"), std::nullopt);
}

}  // namespace
}  // namespace meshmul
