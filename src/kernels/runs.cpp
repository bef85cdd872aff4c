#include "runs.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "meshmul/element.hpp"

namespace meshmul {
namespace {

/// Elements of a run that go through f32 on their way from or to f16.
constexpr std::int64_t kBlock = 512;

// Each loop is compiled twice: for the oldest CPU that this library runs on, and for AVX2. Attributes on functions, not
// flags for a file, so that no inline function of a header is compiled for a CPU that may not be there.

template <class To, class From>
[[gnu::always_inline]] inline void convert_loop(To* __restrict dst, const From* __restrict src, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) dst[i] = convert<To>(src[i]);
}

template <class T>
[[gnu::always_inline]] inline void add_loop(T* dst, const T* src, std::int64_t n) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;  // sums that wrap are defined for unsigned types alone
    for (std::int64_t i = 0; i < n; ++i)
      dst[i] = static_cast<T>(static_cast<Unsigned>(dst[i]) + static_cast<Unsigned>(src[i]));
  } else {
    for (std::int64_t i = 0; i < n; ++i) dst[i] += src[i];
  }
}

template <class To, class From>
void convert_plain(To* dst, const From* src, std::int64_t n) {
  convert_loop(dst, src, n);
}

template <class T>
void add_plain(T* dst, const T* src, std::int64_t n) {
  add_loop(dst, src, n);
}

#if defined(__x86_64__)

template <class To, class From>
[[gnu::target("avx2")]] void convert_avx2(To* dst, const From* src, std::int64_t n) {
  convert_loop(dst, src, n);
}

template <class T>
[[gnu::target("avx2")]] void add_avx2(T* dst, const T* src, std::int64_t n) {
  add_loop(dst, src, n);
}

// GCC 12 does not vectorise conversions of _Float16 by itself.

[[gnu::target("avx2,f16c")]] void widen_f16(float* dst, const F16* src, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(dst + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i))));
  for (; i < n; ++i) dst[i] = _cvtsh_ss(src[i].bits);
}

[[gnu::target("avx2,f16c")]] void narrow_f16(F16* dst, const float* src, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(dst + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(src + i), _MM_FROUND_TO_NEAREST_INT));
  for (; i < n; ++i) dst[i].bits = _cvtss_sh(src[i], _MM_FROUND_TO_NEAREST_INT);
}

/// Conversions from or to f16, by way of f32.
template <class To, class From>
void convert_f16(To* dst, const From* src, std::int64_t n) {
  if constexpr (std::is_same_v<From, F16> && std::is_same_v<To, float>) {
    widen_f16(dst, src, n);
  } else if constexpr (std::is_same_v<From, float> && std::is_same_v<To, F16>) {
    narrow_f16(dst, src, n);
  } else {
    std::array<float, kBlock> wide;
    for (std::int64_t i = 0; i < n; i += kBlock) {
      const std::int64_t count = std::min(kBlock, n - i);
      if constexpr (std::is_same_v<From, F16>) {
        widen_f16(wide.data(), src + i, count);
        convert_avx2(dst + i, wide.data(), count);
      } else {
        convert_avx2(wide.data(), src + i, count);
        narrow_f16(dst + i, wide.data(), count);
      }
    }
  }
}

#endif

template <class To, class From>
void convert_elements(To* dst, const From* src, std::int64_t n, [[maybe_unused]] const CpuFeatures& cpu) {
  if constexpr (std::is_same_v<To, From>) {
    std::memcpy(dst, src, static_cast<std::size_t>(n) * sizeof(To));
  } else {
#if defined(__x86_64__)
    if (cpu.avx2) {
      if constexpr (std::is_same_v<From, F16> || std::is_same_v<To, F16>)
        convert_f16(dst, src, n);
      else
        convert_avx2(dst, src, n);
      return;
    }
#endif
    convert_plain(dst, src, n);
  }
}

template <class T>
void add_elements(std::byte* dst, const std::byte* src, std::int64_t n, [[maybe_unused]] const CpuFeatures& cpu) {
#if defined(__x86_64__)
  if (cpu.avx2) return add_avx2(reinterpret_cast<T*>(dst), reinterpret_cast<const T*>(src), n);
#endif
  add_plain(reinterpret_cast<T*>(dst), reinterpret_cast<const T*>(src), n);
}

template <std::size_t kBytes>
void move_elements(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride,
                   std::int64_t n) {
  constexpr auto kStep = static_cast<std::int64_t>(kBytes);
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(dst + i * dst_stride * kStep, src + i * src_stride * kStep, kBytes);
}

}  // namespace

void convert_run(std::byte* dst, Dtype to, const std::byte* src, Dtype from, std::int64_t n, const CpuFeatures& cpu) {
  with_element_type(to, [&]<class To>() {
    with_element_type(from, [&]<class From>() {
      convert_elements(reinterpret_cast<To*>(dst), reinterpret_cast<const From*>(src), n, cpu);
    });
  });
}

void add_run(std::byte* dst, const std::byte* src, Dtype dtype, std::int64_t n, const CpuFeatures& cpu) {
  assert(accumulator_of(dtype) == dtype);
  with_element_type(accumulator_of(dtype), [&]<class T>() {
    if constexpr (std::is_same_v<T, Accumulator<T>>) add_elements<T>(dst, src, n, cpu);
  });
}

void move_run(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride, std::int64_t n,
              std::int64_t element_bytes) {
  if (dst_stride == 1 && src_stride == 1) {
    std::memcpy(dst, src, static_cast<std::size_t>(n * element_bytes));
    return;
  }
  switch (element_bytes) {
    case 8: return move_elements<8>(dst, dst_stride, src, src_stride, n);
    case 4: return move_elements<4>(dst, dst_stride, src, src_stride, n);
    case 2: return move_elements<2>(dst, dst_stride, src, src_stride, n);
    default: return move_elements<1>(dst, dst_stride, src, src_stride, n);
  }
}

}  // namespace meshmul
