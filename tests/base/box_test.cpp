#include "meshmul/box.hpp"

#include <gmock/gmock.h>

#include <random>
#include <utility>

namespace meshmul {
namespace {

TEST(Box, WithoutDimensionsHoldsOneElement) {
  EXPECT_EQ(Box().num_elements(), 1);
  EXPECT_FALSE(Box().empty());
  EXPECT_EQ(Box().str(), "[]");
}

TEST(Box, IsEmptyWhenAnyDimensionIs) {
  const Box box{{0, 3}, {5, 5}};
  EXPECT_TRUE(box.empty());
  EXPECT_EQ(box.num_elements(), 0);
  EXPECT_TRUE((Box{{0, 1}, {0, 1}}).contains(box));
}

TEST(Box, PrintsHalfOpenIntervals) { EXPECT_EQ((Box{{0, 3}, {4, 8}}).str(), "[0:3, 4:8]"); }

// Boxes of few dimensions hold their intervals themselves, others on the heap.
TEST(Box, IsCopiedAndMovedWithAnyNumberOfDimensions) {
  const auto box_of = [](int dims) {
    Box box;
    for (int d = 0; d < dims; ++d) box.push_back({d, 10 + d});
    return box;
  };
  for (int from = 0; from <= kMaxDims; ++from)
    for (int to = 0; to <= kMaxDims; ++to) {
      const Box source = box_of(from);
      Box copied = box_of(to);
      copied = source;
      EXPECT_EQ(copied, source);
      Box moved = box_of(to);
      moved = std::move(copied);
      EXPECT_EQ(moved, source);
      copied = box_of(to);
      EXPECT_EQ(copied.num_dims(), to);
      const Box constructed = std::move(moved);
      EXPECT_EQ(constructed, source);
      for (int d = 0; d < from; ++d) EXPECT_EQ(constructed[d], (Interval{d, 10 + d}));
    }
}

TEST(Box, CanBeAssignedToItself) {
  for (Box box : {Box{{1, 2}, {3, 4}}, Box{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}}) {
    const Box before = box;
    const Box& same = box;
    box = same;
    EXPECT_EQ(box, before);
  }
}

TEST(Box, CountsMoreThanTwoToThe31Elements) {
  EXPECT_EQ((Box{{0, 1 << 20}, {0, 1 << 20}}).num_elements(), std::int64_t{1} << 40);
  EXPECT_EQ((Box{{0, std::int64_t{1} << 62}, {0, std::int64_t{1} << 62}, {5, 5}}).num_elements(), 0);
}

TEST(Box, ShiftsAndMovesToTheOrigin) {
  const std::int64_t offsets[] = {-2, 4};
  const Box moved = Box{{2, 5}, {0, 1}}.shifted(offsets);
  EXPECT_EQ(moved, (Box{{0, 3}, {4, 5}}));
  EXPECT_EQ(moved.at_origin(), (Box{{0, 3}, {0, 1}}));
}

TEST(Box, DifferenceAndIntersectionTileTheWhole) {
  std::mt19937 random(7);
  std::uniform_int_distribution<std::int64_t> coordinate(0, 6);
  const auto interval = [&] {
    const std::int64_t a = coordinate(random);
    const std::int64_t b = coordinate(random);
    return Interval{std::min(a, b), std::max(a, b)};
  };
  for (int round = 0; round < 500; ++round) {
    const Box a{interval(), interval(), interval()};
    const Box b{interval(), interval(), interval()};
    const std::vector<Box> parts = subtract(a, b);
    std::int64_t elements = intersect(a, b).num_elements();
    for (std::size_t i = 0; i < parts.size(); ++i) {
      elements += parts[i].num_elements();
      EXPECT_TRUE(a.contains(parts[i]));
      EXPECT_FALSE(overlap(parts[i], b));
      for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(overlap(parts[i], parts[j]));
    }
    EXPECT_EQ(elements, a.num_elements()) << a.str() << " without " << b.str();
  }
}

TEST(Box, JoinNeedsACommonSide) {
  EXPECT_EQ(join(Box{{0, 2}, {0, 3}}, Box{{2, 5}, {0, 3}}), (Box{{0, 5}, {0, 3}}));
  EXPECT_EQ(join(Box{{0, 2}, {3, 4}}, Box{{0, 2}, {0, 3}}), (Box{{0, 2}, {0, 4}}));
  EXPECT_EQ(join(Box{{0, 2}, {0, 3}}, Box{{3, 5}, {0, 3}}), std::nullopt);  // a gap
  EXPECT_EQ(join(Box{{0, 2}, {0, 3}}, Box{{2, 5}, {0, 4}}), std::nullopt);  // sides of two lengths
  EXPECT_EQ(join(Box{}, Box{}), std::nullopt);                              // they overlap
}

TEST(Box, ContiguousMeansOneStretchOfMemory) {
  const Shape shape{4, 5, 6};
  EXPECT_TRUE(is_contiguous(Box{{0, 4}, {0, 5}, {0, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{1, 3}, {0, 5}, {0, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{1, 2}, {2, 4}, {0, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{1, 2}, {2, 3}, {1, 4}}, shape));
  EXPECT_FALSE(is_contiguous(Box{{1, 3}, {0, 4}, {0, 6}}, shape));
  EXPECT_FALSE(is_contiguous(Box{{1, 2}, {2, 4}, {1, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{{1, 1}, {2, 4}, {1, 6}}, shape));
  EXPECT_TRUE(is_contiguous(Box{}, {}));
}

}  // namespace
}  // namespace meshmul
