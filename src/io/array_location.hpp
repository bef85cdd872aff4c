#pragma once
// How a user names an array in a file: `FILE.npy`, `FILE.safetensors`, `FILE.safetensors:TENSOR`.

#include <string>
#include <string_view>

namespace meshmul {

enum class FileFormat { kNpy, kSafetensors };

struct ArrayLocation {
  std::string file;
  FileFormat format = FileFormat::kNpy;
  std::string tensor;  ///< empty if none is named

  bool operator==(const ArrayLocation&) const = default;
};

/// A tensor's name begins after the first `.safetensors:`. Throws Error(kInvalidArgument) for a file of another kind or
/// an empty tensor name.
ArrayLocation parse_array_location(std::string_view location);

}  // namespace meshmul
