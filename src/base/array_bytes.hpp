#pragma once
// How large an array may be: its bytes are counted without overflow.

#include <cstdint>
#include <optional>
#include <string>

#include "meshmul/box.hpp"

namespace meshmul {

/// Bytes of an array of `shape`; nothing if an extent is negative, or if there are more than 2^62. There an empty
/// dimension counts as one element, so that extents may be multiplied in any order: strides, blocks, parts of a shape.
std::optional<std::int64_t> count_bytes(const Shape& shape, std::int64_t element_bytes);

/// `more than 2^62 bytes`, for sentences about a shape whose bytes cannot be counted; says so where empty dimensions did
/// not help.
std::string more_bytes_than_count(const Shape& shape);

}  // namespace meshmul
