#include "streaming.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace meshmul {
namespace {

#if defined(__x86_64__)

constexpr std::int64_t kLine = 64;

// Whole lines, of which `dst` begins one.

[[gnu::target("avx2")]] void stream_lines_avx2(std::byte* dst, const std::byte* src, std::int64_t lines) {
  for (std::int64_t i = 0; i < lines * kLine; i += kLine) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + i));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(src + i + kLine / 2));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(dst + i), low);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(dst + i + kLine / 2), high);
  }
}

[[gnu::target("avx512f")]] void stream_lines_avx512(std::byte* dst, const std::byte* src, std::int64_t lines) {
  for (std::int64_t i = 0; i < lines * kLine; i += kLine)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(dst + i), _mm512_loadu_si512(src + i));
}

#endif

}  // namespace

void stream_bytes(std::byte* dst, const std::byte* src, std::int64_t bytes, [[maybe_unused]] const CpuFeatures& cpu) {
#if defined(__x86_64__)
  if (cpu.avx2 || cpu.avx512) {
    const auto misaligned = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % kLine);
    const std::int64_t head = std::min(bytes, (kLine - misaligned) % kLine);
    const std::int64_t lines = (bytes - head) / kLine;
    std::memcpy(dst, src, static_cast<std::size_t>(head));
    (cpu.avx512 ? stream_lines_avx512 : stream_lines_avx2)(dst + head, src + head, lines);
    const std::int64_t done = head + lines * kLine;
    std::memcpy(dst + done, src + done, static_cast<std::size_t>(bytes - done));
    return;
  }
#endif
  std::memcpy(dst, src, static_cast<std::size_t>(bytes));
}

// Stores past the caches are not ordered with others.
void end_streams() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace meshmul
