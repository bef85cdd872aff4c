#pragma once
// Moves elements between the dense bytes of a file and strided memory. Bytes, not values: every bit stays, NaN payloads
// too, and files need no alignment.

#include <cstddef>
#include <cstdint>

namespace meshmul {

/// dst[i * dst_stride] = src[i * src_stride] for `count` elements of 1, 2, 4 or 8 bytes; strides in elements. With
/// `swap_bytes` the bytes of each element are turned round.
void copy_elements(std::byte* dst, std::int64_t dst_stride, const std::byte* src, std::int64_t src_stride,
                   std::int64_t count, std::int64_t element_bytes, bool swap_bytes);

}  // namespace meshmul
