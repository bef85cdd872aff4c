#pragma once
// Whole numbers modulo 2^32, which is how sums in i32 behave.

#include <cstdint>

namespace meshmul::checking {

/// `value` is whole and below 2^63 in size.
inline std::uint32_t modulo_2_32(double value) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)); }

/// The number that an i32 holds for it.
inline double wrapped(std::uint32_t value) { return static_cast<double>(static_cast<std::int32_t>(value)); }
inline double wrapped(double value) { return wrapped(modulo_2_32(value)); }

}  // namespace meshmul::checking
