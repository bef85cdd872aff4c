#pragma once
// When an op of a run began and ended on a device, as its kernels note it.

#include <cstdint>

namespace meshmul::cuda {

/// By the clock of the device, in nanoseconds. All bits are set where nothing was noted.
struct DeviceOpTimes {
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = ~std::uint64_t{0};

  bool noted() const { return ~end != 0; }
};

}  // namespace meshmul::cuda
