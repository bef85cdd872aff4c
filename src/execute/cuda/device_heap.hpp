#pragma once
// Memory of one device that all devices of a world address, by the virtual memory management of the CUDA driver.

#include <cstddef>
#include <vector>

namespace meshmul::cuda {

/// One piece of memory of `device`, mapped into the address space of this process; the devices of `peers` may read and
/// write it too.
class DeviceHeap {
 public:
  /// Throws Error(kOutOfMemory) with the bytes that are needed and those that are left, Error(kUnsupported) if a peer
  /// cannot address the memory of `device`. Zero bytes are no memory.
  DeviceHeap(int device, std::size_t num_bytes, const std::vector<int>& peers);
  DeviceHeap(DeviceHeap&& other) noexcept;
  DeviceHeap& operator=(DeviceHeap&&) = delete;
  ~DeviceHeap();

  /// Aligned to at least 64 KiB.
  std::byte* data() const { return reinterpret_cast<std::byte*>(address_); }
  std::size_t num_bytes() const { return num_bytes_; }

 private:
  void release() noexcept;

  unsigned long long address_ = 0;
  unsigned long long handle_ = 0;
  std::size_t num_bytes_ = 0;     ///< that were asked for
  std::size_t mapped_bytes_ = 0;  ///< rounded up to what the device maps
};

}  // namespace meshmul::cuda
