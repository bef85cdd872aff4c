#pragma once
// Reads a slice as the command line writes it, and says in words which slices there are instead.

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/slices.hpp"
#include "meshmul/mesh.hpp"

namespace meshmul {

/// Reads `4x4x8`, sizes in any order. Throws Error(kInvalidArgument) if there is no such slice, naming the nearest.
Slice parse_slice(std::string_view text, const Hardware& hardware);

/// `v5e comes in no slice 3x5; the nearest are 4x4 and 2x4`.
std::string no_such_slice(const Hardware& hardware, const Slice& slice);

/// `v5e comes in no slice of 12 devices, as the mesh X=12 has; the nearest are 2x4 (8 devices) and 4x4 (16 devices)`.
std::string no_slice_for(const Mesh& mesh, const Hardware& hardware);

/// `1 device`, `8 devices`.
std::string devices_text(std::int64_t devices);

}  // namespace meshmul
