#pragma once
// Memory of the host that devices read and write.

#include <cstddef>
#include <utility>

namespace meshmul::cuda {

class PinnedMemory {
 public:
  PinnedMemory() = default;
  /// Holds zeros. Throws Error(kOutOfMemory) with the bytes. Zero bytes are no memory.
  explicit PinnedMemory(std::size_t num_bytes);
  PinnedMemory(PinnedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), num_bytes_(std::exchange(other.num_bytes_, 0)) {}
  PinnedMemory& operator=(PinnedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(num_bytes_, other.num_bytes_);
    return *this;
  }
  ~PinnedMemory();

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t num_bytes() const { return num_bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t num_bytes_ = 0;
};

}  // namespace meshmul::cuda
