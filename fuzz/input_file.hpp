#pragma once
// The input of a fuzzer as a file, since the readers of arrays take files; and what they promise of an array.

#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "base/temporary_folder.hpp"
#include "meshmul/array_file.hpp"
#include "promises.hpp"

namespace meshmul::fuzz {

inline void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  expect(static_cast<bool>(stream.flush()), "the input fits the disk", path);
}

/// Reads the array at `location`, whole and in two pieces; and what is written to `copy` is read back as the same. Says
/// whether the array could be read.
inline bool read_and_copy(const std::string& location, std::optional<Dtype> expected, const std::string& copy) {
  const auto reader = read_or_refuse([&] { return ArrayReader(location, expected); });
  if (!reader) return false;
  const HostArray whole = reader->read();
  for (int dim = 0; dim < static_cast<int>(reader->shape().size()); ++dim) {
    HostArray joined(reader->dtype(), reader->shape());
    Box low = Box::whole(reader->shape());
    Box high = low;
    low[dim].end = high[dim].begin = low[dim].end / 3;
    reader->read_box(low, joined.view(low));
    reader->read_box(high, joined.view(high));
    expect(joined == whole, "two pieces are the whole", location);
  }
  write_array(copy, whole, "copy");
  expect(ArrayReader(copy, whole.dtype()).read() == whole, "an array is written as it was read", location);
  return true;
}

}  // namespace meshmul::fuzz
