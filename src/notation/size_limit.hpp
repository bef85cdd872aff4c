#pragma once
// How large sizes, and what is multiplied from them, may be.

#include <cstdint>

namespace meshmul::notation {

/// 2^62: largest size of an index, and the bound below which the bytes of an array and the multiplications of a
/// product stay, so that no 64-bit arithmetic on them overflows (rounding a block up, two operations a multiplication).
inline constexpr std::int64_t kMaxSize = std::int64_t{1} << 62;

}  // namespace meshmul::notation
