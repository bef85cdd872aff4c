#pragma once
// The same words, as a thread of the host reads and writes them.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace meshmul::cuda {

struct HostWords {
  std::uint64_t load_acquire(const std::uint64_t* word) const { return of(word).load(std::memory_order_acquire); }
  std::uint64_t load(const std::uint64_t* word) const { return of(word).load(std::memory_order_relaxed); }
  std::uint32_t load(const std::uint32_t* word) const { return of(word).load(std::memory_order_relaxed); }
  void raise_release(std::uint64_t* word, std::uint64_t value) const {
    std::uint64_t seen = of(word).load(std::memory_order_relaxed);
    while (seen < value &&
           !of(word).compare_exchange_weak(seen, value, std::memory_order_release, std::memory_order_relaxed)) {
    }
  }
  std::uint32_t fetch_add(std::uint32_t* word, std::uint32_t value) const { return of(word).fetch_add(value); }
  std::uint64_t fetch_add(std::uint64_t* word, std::uint64_t value) const { return of(word).fetch_add(value); }
  std::uint32_t compare_and_swap(std::uint32_t* word, std::uint32_t expected, std::uint32_t value) const {
    of(word).compare_exchange_strong(expected, value);
    return expected;
  }
  std::uint64_t compare_and_swap(std::uint64_t* word, std::uint64_t expected, std::uint64_t value) const {
    of(word).compare_exchange_strong(expected, value);
    return expected;
  }
  /// All accesses but those of `raise_release` and the loads are sequentially consistent already.
  void fence() const {}
  void pause() const { std::this_thread::yield(); }
  std::uint64_t nanoseconds() const {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
            .count());
  }

 private:
  template <class T>
  static std::atomic_ref<T> of(const T* word) {
    return std::atomic_ref<T>(*const_cast<T*>(word));
  }
};

}  // namespace meshmul::cuda
