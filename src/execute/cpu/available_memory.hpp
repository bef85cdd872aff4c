#pragma once
// How much memory this process may still take, and the refusal of what is larger.

#include <cstdint>
#include <filesystem>

namespace meshmul {

/// Bytes that can be taken before the machine, or the control group (version 1 or 2) that this process runs in, is
/// full: the least of MemAvailable and limit - use + reclaimable file cache of the group and of every group above it.
/// 2^62 if nothing says. `root` is where /proc and /sys are found.
std::int64_t available_memory(const std::filesystem::path& root = "/");

/// What a world takes.
struct MemoryNeed {
  int num_ranks = 0;
  std::int64_t heap_bytes_per_rank = 0;
  std::int64_t private_bytes_per_rank = 0;  ///< scratch of the kernels and the like: an allowance
};

/// Throws Error(kOutOfMemory) with both numbers if `need` and a margin of a twentieth are more than `available_bytes`.
void require_memory(const MemoryNeed& need, std::int64_t available_bytes);

}  // namespace meshmul
