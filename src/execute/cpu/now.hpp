#pragma once
// The clock by which ranks note times: that of the system, which processes share.

#include <chrono>
#include <cstdint>

namespace meshmul {

inline std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace meshmul
