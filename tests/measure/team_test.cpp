#include "measure/team.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "measure/memory_copies.hpp"

namespace meshmul::measure {
namespace {

TEST(Team, EveryThreadDoesTheWorkOnceARun) {
  Team team(3);
  std::vector<int> times(3);
  for (int run = 1; run <= 4; ++run) {
    team.run([&](int number) { ++times[static_cast<std::size_t>(number)]; });
    EXPECT_THAT(times, testing::Each(run));
  }
}

TEST(Team, AllWorkAtOnce) {
  Team team(2);
  std::atomic<int> inside{0};
  // Each waits for the other, so that one after the other would never end.
  team.run([&](int) {
    ++inside;
    while (inside.load() < 2) std::this_thread::yield();
  });
  EXPECT_EQ(inside.load(), 2);
}

TEST(Team, ARunTakesAsLongAsItsSlowestThread) {
  Team team(2);
  const double seconds =
      team.run([](int number) { std::this_thread::sleep_for(std::chrono::milliseconds(number == 1 ? 20 : 0)); });
  EXPECT_GE(seconds, 0.02);
}

TEST(MemoryCopies, TakeTimeToWriteAloneAndToGetLessOrMoreThanWasWritten) {
  for (const int threads : {2, 3}) {
    Team team(threads);
    for (const std::int64_t bytes_to_get : {0, 1 << 12, 1 << 16, 5 << 15})
      EXPECT_GT(MemoryCopies(team, 1 << 16, bytes_to_get).run(3), 0);
  }
}

}  // namespace
}  // namespace meshmul::measure
