#pragma once
// The two calls of the Linux futex that ranks sleep and wake with. They work across processes.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace meshmul {

/// Sleeps while `word` holds `expected`, at most for `timeout`. May return early for no reason: look again.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, std::chrono::nanoseconds timeout);

/// Wakes one sleeper of `word`, if there is one.
void futex_wake(std::atomic<std::uint32_t>& word);

}  // namespace meshmul
