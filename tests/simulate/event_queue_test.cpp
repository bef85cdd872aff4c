// The queue gives events in the order of a sorted list, also those that are pushed for a time that has come already.

#include "simulate/event_queue.hpp"

#include <gmock/gmock.h>

#include <random>
#include <set>
#include <utility>

namespace meshmul::simulation {
namespace {

TEST(EventQueue, EventsKeepWhatTheyAreMadeOf) {
  const Event event(12, 4'000'000'000U, EventKind::kArrived, 15, (1U << 26) - 1);
  EXPECT_EQ(event.time_ps(), 12);
  EXPECT_EQ(event.op(), 4'000'000'000U);
  EXPECT_EQ(event.kind(), EventKind::kArrived);
  EXPECT_EQ(event.part(), 15U);
  EXPECT_EQ(event.hop(), (1U << 26) - 1);
}

TEST(EventQueue, AtOneTimeOpsComeInTheirOrder) {
  EventQueue queue;
  queue.push({5, 3, EventKind::kDone});
  queue.push({5, 1, EventKind::kDone});
  ASSERT_TRUE(queue.advance());
  EXPECT_EQ(queue.now_ps(), 5);
  EXPECT_EQ(queue.take().op(), 1U);
  queue.push({5, 4, EventKind::kDone});
  queue.push({5, 2, EventKind::kDone});
  for (const std::uint32_t op : {2U, 3U, 4U}) EXPECT_EQ(queue.take().op(), op);
  EXPECT_FALSE(queue.has_now());
  EXPECT_FALSE(queue.advance());
}

// Durations of all magnitudes, many of them equal or zero.
TEST(EventQueue, GivesWhatASortedListGives) {
  std::mt19937_64 random(7);
  EventQueue queue;
  std::set<std::pair<std::int64_t, std::uint64_t>> expected;
  const auto push = [&](std::uint32_t op) {
    const std::int64_t duration = random() % 4 == 0 ? 0 : std::int64_t{1} << (random() % 50);
    const Event event(queue.now_ps() + duration, op, EventKind::kDone);
    queue.push(event);
    expected.emplace(event.time_ps(), event.order());
  };
  std::uint32_t num_ops = 0;
  for (; num_ops < 100; ++num_ops) push(num_ops * 7919 % 10007);
  while (queue.advance()) {
    while (queue.has_now()) {
      const Event event = queue.take();
      ASSERT_EQ(std::pair(event.time_ps(), event.order()), *expected.begin());
      expected.erase(expected.begin());
      for (std::uint64_t more = random() % 3; more > 0 && num_ops < 5000; --more) push(num_ops++ * 7919 % 10007);
    }
  }
  EXPECT_TRUE(expected.empty());
}

}  // namespace
}  // namespace meshmul::simulation
