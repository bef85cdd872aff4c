#include "execute/cpu/world_memory.hpp"

#include <gmock/gmock.h>

#include <cstdint>

#include "execute/cpu/mapping.hpp"
#include "meshmul/error.hpp"

namespace meshmul {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

Schedule schedule_with(std::vector<Shape> shapes) {
  Schedule schedule;
  for (Shape& shape : shapes) schedule.buffers.push_back({"b", Dtype::kF32, std::move(shape), true});
  schedule.signals.resize(3);
  schedule.ranks.resize(2);
  schedule.ranks[1].lanes.resize(5);
  return schedule;
}

/// A place that is shared, or its rank's own.
auto place(bool own, std::int64_t offset, std::int64_t num_bytes) {
  return ::testing::AllOf(Field(&BufferPlace::own, own), Field(&BufferPlace::offset, offset),
                          Field(&BufferPlace::num_bytes, num_bytes));
}
auto shared(std::int64_t offset, std::int64_t num_bytes) { return place(false, offset, num_bytes); }
auto own(std::int64_t offset, std::int64_t num_bytes) { return place(true, offset, num_bytes); }

TEST(WorldLayout, PutsBuffersOnLinesAndShardsRightBehindEachOther) {
  const WorldLayout layout = lay_out(schedule_with({{3}, {17}, {1}}));
  EXPECT_THAT(layout.buffers, ElementsAre(shared(0, 12), shared(64, 68), shared(256, 4)));
  EXPECT_EQ(layout.heap_bytes, 4096);
  EXPECT_EQ(layout.own_heap_bytes, 0);
  EXPECT_EQ(shared_bytes_per_rank(layout), 12 + 68 + 4);
  EXPECT_EQ(layout.heap % 4096, 0);
  EXPECT_EQ(layout.num_bytes, layout.heap + 4096);
}

TEST(WorldLayout, KeepsPrivateBuffersOutOfTheSharedMemory) {
  Schedule schedule = schedule_with({{3}, {17}, {1}, {5000}});
  const std::int64_t shared_bytes = lay_out(schedule_with({{3}, {1}})).num_bytes;
  schedule.buffers[1].symmetric = schedule.buffers[3].symmetric = false;
  const WorldLayout layout = lay_out(schedule);
  EXPECT_THAT(layout.buffers, ElementsAre(shared(0, 12), own(0, 68), shared(64, 4), own(128, 20000)));
  EXPECT_EQ(layout.heap_bytes, 4096);
  EXPECT_EQ(layout.own_heap_bytes, 5 * 4096);
  EXPECT_EQ(layout.num_bytes, shared_bytes);
}

TEST(WorldLayout, GivesAnEmptyBufferNoBytesHoweverLongItsOtherSizes) {
  EXPECT_THAT(lay_out(schedule_with({{std::int64_t{1} << 61, std::int64_t{1} << 61, 0}})).buffers,
              ElementsAre(shared(0, 0)));
}

TEST(WorldLayout, RefusesBytesThatOverflow) {
  const std::int64_t large = std::int64_t{1} << 31;
  for (const Shape& shape : {Shape{large, large}, Shape{large, large, large}}) {
    try {
      lay_out(schedule_with({shape}));
      ADD_FAILURE() << "2^64 bytes were laid out";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
      EXPECT_STREQ(error.what(), "the buffers of the schedule need more than 2^62 bytes");
    }
  }
  Schedule schedule = schedule_with({{std::int64_t{1} << 58}, {std::int64_t{1} << 58}});
  EXPECT_THROW(lay_out(schedule), Error);
  schedule.buffers[0].symmetric = false;
  EXPECT_THROW(lay_out(schedule), Error) << "neither heap is too large, but both are";
}

TEST(WorldMemory, NoTwoObjectsShareBytes) {
  const Schedule schedule = schedule_with({{3}, {17}});
  const WorldLayout layout = lay_out(schedule);
  const MemoryMapping mapping = MemoryMapping::anonymous(layout.num_bytes);
  const WorldMemory memory(mapping.data(), layout);
  memory.construct(SignalWords(schedule));
  // Every word gets a value of its own; all must still be there afterwards.
  std::uint64_t value = 1;
  const auto for_all = [&](auto&& f) {
    for (int rank = 0; rank < 2; ++rank) {
      for (LanePosition& position : memory.positions(rank)) f(position);
      for (int signal = 0; signal < 3; ++signal) f(memory.signal(rank, signal).value);
      f(memory.rank(rank).private_bytes);
    }
    f(memory.world().requested);
    f(memory.world().returned);
  };
  for_all([&](auto& word) { word.store(static_cast<typename std::decay_t<decltype(word)>::value_type>(value++)); });
  for (int rank = 0; rank < 2; ++rank)
    for (int buffer = 0; buffer < 2; ++buffer)
      std::ranges::fill(memory.buffer(rank, buffer), std::byte(16 * rank + buffer));

  value = 1;
  for_all([&](auto& word) { EXPECT_EQ(static_cast<std::uint64_t>(word.load()), value++); });
  for (int rank = 0; rank < 2; ++rank)
    for (int buffer = 0; buffer < 2; ++buffer)
      EXPECT_THAT(memory.buffer(rank, buffer), ::testing::Each(std::byte(16 * rank + buffer)));
  EXPECT_EQ(memory.positions(0).size(), 0U);
  EXPECT_EQ(memory.positions(1).size(), 5U);
}

}  // namespace
}  // namespace meshmul
