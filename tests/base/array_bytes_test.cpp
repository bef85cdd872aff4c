#include "base/array_bytes.hpp"

#include <gmock/gmock.h>

namespace meshmul {
namespace {

constexpr std::int64_t kHalf = std::int64_t{1} << 31;

TEST(ArrayBytes, are_counted_up_to_2_62) {
  EXPECT_EQ(count_bytes({}, 4), 4);
  EXPECT_EQ(count_bytes({3, 5}, 2), 30);
  EXPECT_EQ(count_bytes({kHalf, kHalf}, 1), std::int64_t{1} << 62);
  EXPECT_EQ(count_bytes({kHalf, kHalf}, 2), std::nullopt);
  EXPECT_EQ(count_bytes({3, -1}, 1), std::nullopt);
}

TEST(ArrayBytes, of_an_empty_array_are_none_if_the_other_dimensions_can_be_counted) {
  EXPECT_EQ(count_bytes({kHalf, 0, kHalf}, 1), 0);
  EXPECT_EQ(count_bytes({kHalf, 0, kHalf}, 2), std::nullopt);
  EXPECT_EQ(count_bytes({0, kHalf, kHalf}, 2), std::nullopt);
  EXPECT_EQ(count_bytes({0, -1}, 1), std::nullopt);
}

TEST(ArrayBytes, too_many_are_said_to_be_so_in_spite_of_empty_dimensions) {
  EXPECT_EQ(more_bytes_than_count({kHalf, kHalf}), "more than 2^62 bytes");
  EXPECT_EQ(more_bytes_than_count({kHalf, 0, kHalf}), "more than 2^62 bytes even without its empty dimensions");
}

}  // namespace
}  // namespace meshmul
