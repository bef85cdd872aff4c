#include "check/sample.hpp"

#include <gmock/gmock.h>

namespace meshmul::checking {
namespace {

TEST(Sample, IsEverythingIfThatIsFew) {
  EXPECT_THAT(sample(3, 3, 0), testing::ElementsAre(0, 1, 2));
  EXPECT_THAT(sample(3, 100, 0), testing::ElementsAre(0, 1, 2));
  EXPECT_TRUE(sample(0, 5, 0).empty());
}

TEST(Sample, TakesOneOfEveryPartAndTheLast) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<std::int64_t> chosen = sample(1001, 11, seed);
    ASSERT_EQ(chosen.size(), 11U);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(chosen[i] / 100, static_cast<std::int64_t>(i)) << seed;
    EXPECT_EQ(chosen[10], 1000);
  }
}

TEST(Sample, DependsOnTheSeed) {
  EXPECT_EQ(sample(1'000'000, 10, 1), sample(1'000'000, 10, 1));
  EXPECT_NE(sample(1'000'000, 10, 1), sample(1'000'000, 10, 2));
}

TEST(Sample, OfFewOrNoneIsTheLastOrEmpty) {
  EXPECT_THAT(sample(1000, 1, 0), testing::ElementsAre(999));
  EXPECT_TRUE(sample(1000, 0, 0).empty());
}

TEST(Sample, ReachesFarBeyond32Bits) {
  const std::int64_t total = std::int64_t{1} << 40;
  const std::vector<std::int64_t> chosen = sample(total, 4096, 7);
  EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
  EXPECT_EQ(chosen.back(), total - 1);
}

}  // namespace
}  // namespace meshmul::checking
