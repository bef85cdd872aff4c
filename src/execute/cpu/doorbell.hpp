#pragma once
// How a rank waits: a few pauses, then yields, then sleep until somebody rings.

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>

#include "futex.hpp"

namespace meshmul {

/// Belongs to one waiting thread, which may be of another process than those that ring.
///
/// No wake is lost: a ringer stores the news and then looks whether the owner sleeps; the owner says that it sleeps and
/// then looks for news. All four accesses are sequentially consistent, so at least one of the two sees the other.
class Doorbell {
 public:
  /// How often the owner looks before it yields: while a peer on another core may be about to store; and where ranks share
  /// cores, so that whoever is waited for may need this one.
  static constexpr int kPauses = 64;
  static constexpr int kPausesOnSharedCore = 1;
  /// How long the owner stays awake.
  static constexpr std::chrono::microseconds kYieldTime{100};

  /// Wakes the owner if it sleeps. Call it after a sequentially consistent store of what the owner waits for.
  void ring() {
    if (sleeping_.load() != 0 && sleeping_.exchange(0) != 0) futex_wake(sleeping_);
  }

  /// For the owner. Returns once `ready()` holds, which must read with sequential consistency.
  ///
  /// Pauses alone would cost whole scheduler quanta where ranks outnumber cores, and a wake from sleep costs some 20
  /// us, so: pauses while a peer on another core may be about to store, yields while peers on this core may, and sleep
  /// once the wait is long enough that the core is better left to others.
  template <class Ready>
  void wait_until(Ready ready, int pauses = kPauses) {
    for (int i = 0; i < pauses; ++i) {
      if (ready()) return;
      pause();
    }
    const auto begin = std::chrono::steady_clock::now();
    do {
      if (ready()) return;
      sched_yield();
    } while (std::chrono::steady_clock::now() - begin < kYieldTime);
    while (!sleep_until(ready, kLongestSleep)) continue;
  }

  /// Sleeps at once, for at most `timeout`. Returns whether `ready()` holds.
  template <class Ready>
  bool sleep_until(Ready ready, std::chrono::nanoseconds timeout) {
    sleeping_.store(1);
    if (!ready()) futex_wait(sleeping_, 1, timeout);
    sleeping_.store(0);
    return ready();
  }

 private:
  // Nothing depends on it; it bounds what a fault in a ringer could cost.
  static constexpr std::chrono::milliseconds kLongestSleep{100};

  static void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  std::atomic<std::uint32_t> sleeping_{0};
};

}  // namespace meshmul
