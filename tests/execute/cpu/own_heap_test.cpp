#include "execute/cpu/own_heap.hpp"

#include <gmock/gmock.h>

#include <cstdint>

namespace meshmul {
namespace {

/// A shared buffer of 16 elements, then an own one of each length in `lengths`.
WorldLayout layout_with(const std::vector<std::int64_t>& lengths) {
  Schedule schedule;
  schedule.ranks.resize(2);
  schedule.buffers.push_back({"shared", Dtype::kF32, {16}, true});
  for (const std::int64_t length : lengths) schedule.buffers.push_back({"own", Dtype::kF32, {length}, false});
  return lay_out(schedule);
}

TEST(OwnHeap, HoldsEveryOwnBufferAndNoSharedOne) {
  const WorldLayout layout = layout_with({3, 17, 1});
  const OwnHeap heap(layout);
  EXPECT_TRUE(heap.buffer(0).empty());
  for (const int buffer : {1, 2, 3}) std::ranges::fill(heap.buffer(buffer), std::byte(buffer));
  EXPECT_THAT(heap.buffer(1), ::testing::AllOf(::testing::SizeIs(12), ::testing::Each(std::byte{1})));
  EXPECT_THAT(heap.buffer(2), ::testing::AllOf(::testing::SizeIs(68), ::testing::Each(std::byte{2})));
  EXPECT_THAT(heap.buffer(3), ::testing::AllOf(::testing::SizeIs(4), ::testing::Each(std::byte{3})));
}

TEST(OwnHeap, TakesNoMemoryForNoBuffers) {
  const WorldLayout layout = layout_with({});
  EXPECT_TRUE(OwnHeap(layout).bytes().empty());
}

TEST(OwnHeap, BeginsWhereALargePageCanIfItCanHoldOne) {
  constexpr std::uintptr_t kLargePage = 2 << 20;
  const WorldLayout layout = layout_with({kLargePage / 4 + 1});
  for (int i = 0; i < 4; ++i) {
    const OwnHeap heap(layout);
    EXPECT_EQ(heap.bytes().size(), kLargePage + 4096);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(heap.bytes().data()) % kLargePage, 0U);
    EXPECT_EQ(heap.bytes().back(), std::byte{0});
  }
}

}  // namespace
}  // namespace meshmul
