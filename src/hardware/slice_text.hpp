#pragma once
// Reads a slice as the command line writes it, and says in words which slices there are instead.

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/slices.hpp"

namespace meshmul {

/// Reads `4x4x8`, sizes in any order. Throws Error(kInvalidArgument) if there is no such slice, naming the nearest.
Slice parse_slice(std::string_view text, const Hardware& hardware);

/// `v5e comes in no slice of 12 devices; the nearest are 2x4 (8 devices) and 4x4 (16 devices)`.
std::string no_slice_with(const Hardware& hardware, std::int64_t devices);

/// `1 device`, `8 devices`.
std::string devices_text(std::int64_t devices);

}  // namespace meshmul
