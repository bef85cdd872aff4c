#pragma once
// Tables of one kernel, put together as bytes, as they are written to memory of a device.

#include <cstddef>
#include <cstring>
#include <vector>

namespace meshmul::cuda {

class TableImage {
 public:
  /// Where the rows of a table begin: at a multiple of 128 bytes.
  template <class T>
  std::size_t add(const std::vector<T>& rows) {
    const std::size_t at = bytes_.size();
    bytes_.resize((at + rows.size() * sizeof(T) + 127) / 128 * 128);
    if (!rows.empty()) std::memcpy(bytes_.data() + at, rows.data(), rows.size() * sizeof(T));
    return at;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace meshmul::cuda
