#pragma once
// The header of a .safetensors file: its length, then a JSON object that gives type, shape and place of every tensor.

#include <string>
#include <string_view>
#include <vector>

#include "input_file.hpp"
#include "stored_array.hpp"

namespace meshmul {

/// All tensors, in the order in which they lie in the file. Everything that the header claims is checked: its own
/// length, each tensor's size against its type and shape, and that the tensors fill the file without overlap or hole.
/// Throws Error(kInvalidArgument) that says what was found and what was expected.
std::vector<StoredArray> read_safetensors_header(const InputFile& file);

/// Everything before the first element of a file of one tensor, byte for byte as the safetensors library writes it.
/// Throws Error(kInvalidArgument) if `tensor` is not UTF-8 or is the reserved name.
std::string print_safetensors_header(const std::string& tensor, Dtype dtype, const Shape& shape);

}  // namespace meshmul
