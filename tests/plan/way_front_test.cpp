#include "plan/way_front.hpp"

#include <gtest/gtest.h>

#include <random>

namespace meshmul {
namespace {

struct Way {
  Price price;
};

Way way(double move_seconds, double product_seconds, double memory_bytes, double sent_bytes = 0) {
  return {{move_seconds, product_seconds, sent_bytes, memory_bytes, 0}};
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Nothing in `front` is beaten, and it beats everything of `all` that fits and is not in it.
void expect_front(const std::vector<Way>& front, const std::vector<Way>& all, double limit) {
  for (std::size_t i = 1; i < front.size(); ++i) {
    EXPECT_GT(front[i].price.seconds_sequential(), front[i - 1].price.seconds_sequential());
    EXPECT_LT(front[i].price.memory_bytes, front[i - 1].price.memory_bytes);
  }
  for (const Way& one : all) {
    if (one.price.memory_bytes > limit) continue;
    EXPECT_TRUE(std::any_of(front.begin(), front.end(), [&](const Way& kept) {
      return kept.price.seconds_sequential() <= one.price.seconds_sequential() &&
             kept.price.memory_bytes <= one.price.memory_bytes;
    }));
  }
}

TEST(WayFront, KeepsWhatNothingBeatsInWhateverOrderItComes) {
  std::mt19937 random(5);
  for (const double limit : {kNoLimit, 6.0}) {
    WayFront<Way> front(limit, false);
    std::vector<Way> all;
    for (int i = 0; i < 200; ++i) {
      all.push_back(way(static_cast<double>(random() % 10), static_cast<double>(random() % 10),
                        static_cast<double>(random() % 20)));
      front.add(all.back());
      expect_front(front.ways(), all, limit);
    }
    EXPECT_GE(front.ways().size(), 2U);
  }
}

TEST(WayFront, OfEqualOnesKeepsTheOneThatSendsLess) {
  WayFront<Way> front(kNoLimit, false);
  front.add(way(1, 1, 5, 20));
  front.add(way(1, 1, 5, 10));
  front.add(way(1, 1, 5, 30));
  ASSERT_EQ(front.ways().size(), 1U);
  EXPECT_EQ(front.ways().front().price.sent_bytes, 10);
}

TEST(WayFront, CountsTheTimeWithOverlapIfAsked) {
  WayFront<Way> front(kNoLimit, true);
  front.add(way(3, 3, 5));
  front.add(way(4, 0, 5));
  front.add(way(0, 5, 4));
  ASSERT_EQ(front.ways().size(), 2U);
  EXPECT_EQ(front.ways()[0].price.seconds_overlapped(), 3);
  EXPECT_EQ(front.ways()[1].price.seconds_overlapped(), 5);
}

TEST(WayFront, KnowsTheLeastMemoryAlsoOfWhatDoesNotFit) {
  WayFront<Way> front(2, false);
  front.add(way(1, 1, 5));
  front.add(way(1, 1, 4));
  EXPECT_TRUE(front.ways().empty());
  EXPECT_EQ(front.least_memory_bytes(), 4);
}

}  // namespace
}  // namespace meshmul
