#include "verify/terms.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>

namespace meshmul::verification {
namespace {

using ::testing::ElementsAre;

TEST(TermSets, EqualSetsHaveOneNumberHoweverTheyAreCut) {
  TermSets sets;
  const int whole = sets.intern({Box{{0, 6}, {0, 4}}});
  EXPECT_EQ(sets.intern({Box{{4, 6}, {0, 4}}, Box{{0, 4}, {0, 1}}, Box{{0, 4}, {1, 4}}}), whole);
  EXPECT_THAT(sets.boxes(whole), ElementsAre(Box{{0, 6}, {0, 4}}));
  EXPECT_EQ(sets.num_terms(whole), 24);
}

TEST(TermSets, TheEmptySetIsNotTheSetOfOnePointWithoutDimensions) {
  TermSets sets;
  const int point = sets.intern({Box{}});
  EXPECT_NE(point, TermSets::kNone);
  EXPECT_EQ(sets.num_terms(point), 1);
  EXPECT_EQ(sets.num_terms(TermSets::kNone), 0);
  EXPECT_EQ(sets.intern({Box{{3, 3}}}), TermSets::kNone);
}

TEST(TermSets, AddingACommonTermIsRefused) {
  TermSets sets;
  const int low = sets.intern({Box{{0, 4}}});
  const int high = sets.intern({Box{{4, 6}}});
  const int middle = sets.intern({Box{{3, 5}}});
  EXPECT_EQ(sets.add(low, high), sets.intern({Box{{0, 6}}}));
  EXPECT_EQ(sets.add(high, low), sets.add(low, high));
  EXPECT_EQ(sets.add(low, middle), std::nullopt);
  EXPECT_EQ(sets.add(middle, high), std::nullopt);
  EXPECT_EQ(sets.add(low, TermSets::kNone), low);
  EXPECT_EQ(sets.add(low, low), std::nullopt);
}

TEST(TermSets, AgreeWithSetsOfPoints) {
  std::mt19937 random(11);
  const auto below = [&](int limit) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(limit)); };
  using Points = std::set<std::pair<std::int64_t, std::int64_t>>;
  TermSets sets;
  const auto points_of = [&](int set) {
    Points points;
    for (const Box& box : sets.boxes(set))
      for (std::int64_t i = box[0].begin; i < box[0].end; ++i)
        for (std::int64_t j = box[1].begin; j < box[1].end; ++j)
          EXPECT_TRUE(points.insert({i, j}).second) << "the boxes of a set overlap";
    return points;
  };
  for (int round = 0; round < 500 / MESHMUL_RANDOM_CASE_DIVISOR; ++round) {
    int sum = TermSets::kNone;
    Points expected;
    for (int i = 0; i < 8; ++i) {
      const std::int64_t a = below(5);
      const std::int64_t b = below(5);
      const int part = sets.intern({Box{{a, a + 1 + below(3)}, {b, b + 1 + below(3)}}});
      const Points added = points_of(part);
      const bool disjoint =
          std::none_of(added.begin(), added.end(), [&](const auto& point) { return expected.count(point) > 0; });
      const std::optional<int> both = sets.add(sum, part);
      ASSERT_EQ(both.has_value(), disjoint);
      if (!both) continue;
      sum = *both;
      expected.insert(added.begin(), added.end());
      ASSERT_EQ(points_of(sum), expected);
      ASSERT_EQ(sets.num_terms(sum), static_cast<std::int64_t>(expected.size()));
    }
  }
}

}  // namespace
}  // namespace meshmul::verification
