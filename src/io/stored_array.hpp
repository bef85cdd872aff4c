#pragma once
// Where the elements of one array lie in a file, and how: what the readers of headers agree on.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "meshmul/array_file.hpp"

namespace meshmul {

struct StoredArray {
  FileArray array;
  std::string type_in_words;  ///< `64-bit unsigned integers`; for errors about types that meshmul has not
  std::int64_t element_bytes = 0;
  bool raw = false;  ///< elements of which only the size is known
  bool big_endian = false;
  bool fortran_order = false;  ///< the first dimension lies densest
  std::int64_t offset = 0;     ///< of the first element in the file
};

/// The dtype in which the elements are to be read. Throws Error(kInvalidArgument) if that is not `expected`, where
/// there is one, or if the file does not say and nobody does; also if the array has more than kMaxDims dimensions.
Dtype settle_dtype(const std::string& file, const StoredArray& stored, std::optional<Dtype> expected);

}  // namespace meshmul
