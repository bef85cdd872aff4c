#pragma once
// Memory of the current device that one owner holds.

#include <cstddef>
#include <cstdint>
#include <utility>

namespace meshmul::cuda {

class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// Throws Error(kOutOfMemory) with both numbers if the device has not as much left. Zero bytes are no memory.
  explicit DeviceMemory(std::size_t num_bytes);
  DeviceMemory(DeviceMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), num_bytes_(std::exchange(other.num_bytes_, 0)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(num_bytes_, other.num_bytes_);
    return *this;
  }
  ~DeviceMemory();

  std::byte* data() const { return static_cast<std::byte*>(data_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  std::size_t num_bytes() const { return num_bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t num_bytes_ = 0;
};

}  // namespace meshmul::cuda
