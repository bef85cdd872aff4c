#include "runs.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "streaming.hpp"

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

/// Every f8e4m3 by its bits.
const std::array<float, 256>& widened_f8() {
  static const std::array<float, 256> values = [] {
    std::array<float, 256> all{};
    for (std::size_t code = 0; code < all.size(); ++code) {
      F8e4m3 element;
      element.bits = static_cast<std::uint8_t>(code);
      all[code] = static_cast<float>(element);
    }
    return all;
  }();
  return values;
}

template <class To, class From>
[[gnu::always_inline]] inline void convert_loop(To* __restrict dst, const From* __restrict src, std::int64_t n) {
  if constexpr (std::is_same_v<From, F8e4m3>) {
    const float* widened = widened_f8().data();
    for (std::int64_t i = 0; i < n; ++i) dst[i] = convert<To>(widened[src[i].bits]);
  } else {
    for (std::int64_t i = 0; i < n; ++i) dst[i] = convert<To>(src[i]);
  }
}

template <class T>
[[gnu::always_inline]] inline void add_loop(T* dst, const T* src, std::int64_t n) {
  // Sums that wrap are defined for unsigned types alone.
  using Sum = std::conditional_t<std::is_integral_v<T>, std::uint32_t, Accumulator<T>>;
  for (std::int64_t i = 0; i < n; ++i) dst[i] = convert<T>(static_cast<Sum>(dst[i]) + static_cast<Sum>(src[i]));
}

template <class T>
[[gnu::always_inline]] inline void sum_loop(T* __restrict dst, const T* a, const T* b, std::int64_t n) {
  using Sum = std::conditional_t<std::is_integral_v<T>, std::uint32_t, Accumulator<T>>;
  for (std::int64_t i = 0; i < n; ++i) dst[i] = convert<T>(static_cast<Sum>(a[i]) + static_cast<Sum>(b[i]));
}

template <class To, class From>
void convert_plain(To* dst, const From* src, std::int64_t n) {
  convert_loop(dst, src, n);
}

template <class T>
void add_plain(T* dst, const T* src, std::int64_t n) {
  add_loop(dst, src, n);
}

template <class T>
void sum_plain(T* dst, const T* a, const T* b, std::int64_t n) {
  sum_loop(dst, a, b, n);
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

template <class T>
[[gnu::target("avx2")]] void sum_avx2(T* dst, const T* a, const T* b, std::int64_t n) {
  sum_loop(dst, a, b, n);
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

[[gnu::target("avx2,f16c")]] void add_f16(F16* dst, const F16* src, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    auto* sums = reinterpret_cast<__m128i*>(dst + i);
    const __m256 old = _mm256_cvtph_ps(_mm_loadu_si128(sums));
    const __m256 terms = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(src + i)));
    _mm_storeu_si128(sums, _mm256_cvtps_ph(_mm256_add_ps(old, terms), _MM_FROUND_TO_NEAREST_INT));
  }
  for (; i < n; ++i)
    dst[i].bits = _cvtss_sh(_cvtsh_ss(dst[i].bits) + _cvtsh_ss(src[i].bits), _MM_FROUND_TO_NEAREST_INT);
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
  auto* sums = reinterpret_cast<T*>(dst);
  const auto* terms = reinterpret_cast<const T*>(src);
#if defined(__x86_64__)
  if (cpu.avx2) {
    if constexpr (std::is_same_v<T, F16>)
      return add_f16(sums, terms, n);
    else
      return add_avx2(sums, terms, n);
  }
#endif
  add_plain(sums, terms, n);
}

template <class T>
void sum_elements(std::byte* dst, const std::byte* a, const std::byte* b, std::int64_t n,
                  [[maybe_unused]] const CpuFeatures& cpu) {
  auto* sums = reinterpret_cast<T*>(dst);
  const auto* first = reinterpret_cast<const T*>(a);
  const auto* second = reinterpret_cast<const T*>(b);
#if defined(__x86_64__)
  if (cpu.avx2) {
    if constexpr (std::is_same_v<T, F16>) {
      std::memcpy(sums, first, static_cast<std::size_t>(n) * sizeof(T));
      return add_f16(sums, second, n);
    } else {
      return sum_avx2(sums, first, second, n);
    }
  }
#endif
  sum_plain(sums, first, second, n);
}

template <std::size_t kBytes>
void move_elements(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride,
                   std::int64_t n) {
  constexpr auto kStep = static_cast<std::int64_t>(kBytes);
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(dst + i * dst_stride * kStep, src + i * src_stride * kStep, kBytes);
}

template <std::size_t kBytes>
void transpose_elements(std::byte* tile, const std::byte* src, std::int64_t stride, std::int64_t rows,
                        std::int64_t columns) {
  constexpr auto kStep = static_cast<std::int64_t>(kBytes);
  constexpr std::int64_t kRowBytes = 64;
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = 0; i < rows; ++i)
      std::memcpy(tile + i * kRowBytes + j * kStep, src + (j * stride + i) * kStep, kBytes);
}

/// Calls f.operator()<bytes>() for the size of an element as a constant.
template <class F>
void with_element_bytes(std::int64_t element_bytes, F&& f) {
  switch (element_bytes) {
    case 8: return f.template operator()<8>();
    case 4: return f.template operator()<4>();
    case 2: return f.template operator()<2>();
    default: return f.template operator()<1>();
  }
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
  with_element_type(dtype, [&]<class T>() { add_elements<T>(dst, src, n, cpu); });
}

void sum_run(std::byte* dst, const std::byte* a, const std::byte* b, Dtype dtype, std::int64_t n,
             const CpuFeatures& cpu) {
  with_element_type(dtype, [&]<class T>() { sum_elements<T>(dst, a, b, n, cpu); });
}

void move_run(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride, std::int64_t n,
              std::int64_t element_bytes) {
  if (dst_stride == 1 && src_stride == 1) {
    const std::int64_t bytes = n * element_bytes;
    if (bytes < kStreamBytes) {
      std::memcpy(dst, src, static_cast<std::size_t>(bytes));
    } else {
      stream_bytes(dst, src, bytes);
      end_streams();
    }
    return;
  }
  with_element_bytes(element_bytes,
                     [&]<std::size_t kBytes>() { move_elements<kBytes>(dst, dst_stride, src, src_stride, n); });
}

void transpose_tile(std::byte* tile, const std::byte* src, std::int64_t stride, std::int64_t rows, std::int64_t columns,
                    std::int64_t element_bytes) {
  with_element_bytes(element_bytes,
                     [&]<std::size_t kBytes>() { transpose_elements<kBytes>(tile, src, stride, rows, columns); });
}

}  // namespace meshmul
