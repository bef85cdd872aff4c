#include "execute/cpu/doorbell.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <thread>

namespace meshmul {
namespace {

using std::chrono::milliseconds;

TEST(Doorbell, NoRingIsLostWhenTwoThreadsTakeTurns) {
  // Each waits for the other's next number. A lost ring would cost a hundred milliseconds, ten thousand of them hours.
  constexpr std::uint64_t kTurns = 10'000;
  Doorbell bells[2];
  std::atomic<std::uint64_t> numbers[2]{0, 0};
  const auto play = [&](int self) {
    const int other = 1 - self;
    for (std::uint64_t turn = 1; turn <= kTurns; ++turn) {
      if (self == 1) bells[1].wait_until([&] { return numbers[0].load() >= turn; });
      numbers[self].store(turn);
      bells[other].ring();
      if (self == 0) bells[0].wait_until([&] { return numbers[1].load() >= turn; });
    }
  };
  std::thread second(play, 1);
  play(0);
  second.join();
  EXPECT_EQ(numbers[0].load(), kTurns);
  EXPECT_EQ(numbers[1].load(), kTurns);
}

TEST(Doorbell, ASleeperIsWokenByARing) {
  Doorbell bell;
  std::atomic<bool> news = false;
  std::thread ringer([&] {
    std::this_thread::sleep_for(milliseconds(5));
    news.store(true);
    bell.ring();
  });
  bool ready = false;
  while (!ready) ready = bell.sleep_until([&] { return news.load(); }, std::chrono::minutes(10));
  ringer.join();
  EXPECT_TRUE(ready);
}

TEST(Doorbell, ASleepEndsWithItsTimeout) {
  Doorbell bell;
  EXPECT_FALSE(bell.sleep_until([] { return false; }, milliseconds(1)));
}

TEST(Doorbell, NobodySleepsWhenReadyAlreadyHolds) {
  Doorbell bell;
  EXPECT_TRUE(bell.sleep_until([] { return true; }, std::chrono::minutes(10)));
  bell.ring();
}

}  // namespace
}  // namespace meshmul
