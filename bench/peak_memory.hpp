#pragma once
// The most memory that a benchmark had at once (Linux).

#include <malloc.h>

#include <fstream>
#include <string>

/// Forgets the most memory that this process had at once, so that the next case has a peak of its own.
inline void forget_peak() {
  malloc_trim(0);  // what building the schedule left behind
  std::ofstream("/proc/self/clear_refs") << 5;
}

/// The most memory that this process had at once since then.
inline double peak_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kib = 0;
    status >> kib;
    return kib / 1024;
  }
  return 0;
}
