#pragma once
// Which device the calls of this thread go to.

#include <cuda_runtime_api.h>

#include "execute/cuda/device_error.hpp"

namespace meshmul::cuda {

/// Makes `device` the current one of this thread, for as long as it lives.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    check(cudaGetDevice(&before_), "asking for the current device");
    if (before_ != device) check(cudaSetDevice(device), "choosing a device");
  }
  CurrentDevice(const CurrentDevice&) = delete;
  CurrentDevice& operator=(const CurrentDevice&) = delete;
  ~CurrentDevice() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

}  // namespace meshmul::cuda
