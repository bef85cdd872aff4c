#include "element_bytes.hpp"

#include <cassert>
#include <cstring>

namespace meshmul {
namespace {

std::uint8_t swapped(std::uint8_t value) { return value; }
std::uint16_t swapped(std::uint16_t value) { return __builtin_bswap16(value); }
std::uint32_t swapped(std::uint32_t value) { return __builtin_bswap32(value); }
std::uint64_t swapped(std::uint64_t value) { return __builtin_bswap64(value); }

template <class Word, bool kSwap>
void copy_words(std::byte* dst, std::int64_t dst_step, const std::byte* src, std::int64_t src_step,
                std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, src + i * src_step, sizeof(Word));
    if constexpr (kSwap) word = swapped(word);
    std::memcpy(dst + i * dst_step, &word, sizeof(Word));
  }
}

}  // namespace

void copy_elements(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride,
                   std::int64_t count, std::int64_t element_bytes, bool swap_bytes) {
  if (dst_stride == 1 && src_stride == 1 && !swap_bytes) {
    std::memcpy(dst, src, static_cast<std::size_t>(count * element_bytes));
    return;
  }
  const auto copy = [&]<class Word>(Word) {
    const auto copy_words_of = swap_bytes ? copy_words<Word, true> : copy_words<Word, false>;
    copy_words_of(dst, dst_stride * element_bytes, src, src_stride * element_bytes, count);
  };
  switch (element_bytes) {
    case 1: return copy(std::uint8_t{});
    case 2: return copy(std::uint16_t{});
    case 4: return copy(std::uint32_t{});
    case 8: return copy(std::uint64_t{});
    default: assert(false);
  }
}

}  // namespace meshmul
