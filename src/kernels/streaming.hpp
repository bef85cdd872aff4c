#pragma once
// Copies of runs that are larger than the caches near a core.

#include <cstddef>
#include <cstdint>

#include "cpu_features.hpp"

namespace meshmul {

/// From this many bytes on a run is written past the caches: it would not stay in those of the core, and a line that is only
/// written need not be read first. Below, whoever reads it next may find it there. Measured in docs/performance.md.
inline constexpr std::int64_t kStreamBytes = std::int64_t{16} << 20;

/// dst[i] = src[i], `bytes` of them, past the caches where the CPU can. The runs do not overlap. Nobody else may read them
/// before `end_streams`.
void stream_bytes(std::byte* dst, const std::byte* src, std::int64_t bytes, const CpuFeatures& cpu = cpu_features());

/// What this thread has streamed is seen by whoever sees a store behind this call.
void end_streams();

}  // namespace meshmul
