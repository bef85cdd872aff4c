#pragma once
// The header of a .npy file: magic, version, and a Python literal that gives type, order and shape.

#include <string>
#include <string_view>

#include "input_file.hpp"
#include "stored_array.hpp"

namespace meshmul {

/// Reads the header of format version 1, 2 or 3 and checks it against the size of the file. Throws
/// Error(kInvalidArgument) that says what was found and what was expected.
StoredArray read_npy_header(const InputFile& file);

/// The fields of a header as they are written.
struct NpyFields {
  std::string descr;
  bool fortran_order = false;
  Shape shape;
  bool operator==(const NpyFields&) const = default;
};

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`: these three keys in any order, each once, and
/// nothing else. `file` is named in errors.
NpyFields parse_npy_fields(std::string_view text, const std::string& file);

/// Everything before the first element, byte for byte as numpy writes it.
std::string print_npy_header(Dtype dtype, const Shape& shape);

}  // namespace meshmul
