#pragma once
// The private memory of this process, as the kernel counts it.

#include <cstdint>

namespace meshmul {

/// Anonymous pages that are present: heap, stacks and scratch; neither files nor shared memory.
struct PrivateMemory {
  std::int64_t bytes = 0;
  /// The most there has been since the process began, as far as it can be known: the peak of all present memory less
  /// the files and shared memory that are present now; at least `bytes`.
  std::int64_t peak_bytes = 0;
};
PrivateMemory read_private_memory();

/// The peak of all present memory. A quick call that tells whether `read_private_memory` could have news of a peak.
std::int64_t peak_resident_bytes();

}  // namespace meshmul
