#include "execute/cuda/device_heap.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <utility>

#include "execute/cuda/current_device.hpp"
#include "execute/cuda/device_error.hpp"
#include "execute/cuda/driver.hpp"
#include "meshmul/error.hpp"

namespace meshmul::cuda {

DeviceHeap::DeviceHeap(int device, std::size_t num_bytes, const std::vector<int>& peers) : num_bytes_(num_bytes) {
  if (num_bytes == 0) return;
  const CurrentDevice current(device);
  for (const int peer : peers) {
    int can = 1;
    if (peer != device) check(cudaDeviceCanAccessPeer(&can, peer, device), "asking whether devices are peers");
    if (can == 0)
      throw Error(
          ErrorCode::kUnsupported,
          fmt::format(
              "device {} cannot address the memory of device {}: all ranks have to be on devices that are peers", peer,
              device));
  }
  std::size_t left = 0, all = 0;
  check(cudaMemGetInfo(&left, &all), "asking a device for its memory");

  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = device};
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  std::size_t granularity = 0;
  check(driver().mem_get_allocation_granularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED),
        "asking how finely device memory is mapped");
  mapped_bytes_ = (num_bytes + granularity - 1) / granularity * granularity;
  if (mapped_bytes_ > left)
    throw Error(
        ErrorCode::kOutOfMemory,
        fmt::format("a rank needs {} bytes of device {}, which has {} of {} bytes left", num_bytes, device, left, all));
  try {
    check(driver().mem_create(&handle_, mapped_bytes_, &properties, 0),
          fmt::format("taking {} bytes of device {}", mapped_bytes_, device));
    check(driver().mem_address_reserve(&address_, mapped_bytes_, 0, 0, 0), "reserving addresses");
    check(driver().mem_map(address_, mapped_bytes_, 0, handle_, 0), "mapping device memory");
    std::vector<CUmemAccessDesc> access;
    for (const int peer : peers)
      access.push_back(
          {.location = {.type = CU_MEM_LOCATION_TYPE_DEVICE, .id = peer}, .flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
    check(driver().mem_set_access(address_, mapped_bytes_, access.data(), access.size()),
          "opening device memory to its peers");
  } catch (...) {
    release();
    throw;
  }
}

DeviceHeap::DeviceHeap(DeviceHeap&& other) noexcept
    : address_(std::exchange(other.address_, 0)),
      handle_(std::exchange(other.handle_, 0)),
      num_bytes_(std::exchange(other.num_bytes_, 0)),
      mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}

DeviceHeap::~DeviceHeap() { release(); }

void DeviceHeap::release() noexcept {
  if (address_ != 0) {
    driver().mem_unmap(address_, mapped_bytes_);
    driver().mem_address_free(address_, mapped_bytes_);
  }
  if (handle_ != 0) driver().mem_release(handle_);
  address_ = handle_ = 0;
}

}  // namespace meshmul::cuda
