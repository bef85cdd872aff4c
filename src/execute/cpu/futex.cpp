#include "futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace meshmul {

// The kernel looks at the 32 bits themselves, in whichever process.
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::nanoseconds timeout) {
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  timespec relative{};
  relative.tv_sec = timeout.count() / kNanosecondsPerSecond;
  relative.tv_nsec = timeout.count() % kNanosecondsPerSecond;
  // Every outcome (woken, value changed, timed out, interrupted) means the same to the caller.
  syscall(SYS_futex, &word, FUTEX_WAIT, expected, &relative, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word) { syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

}  // namespace meshmul
