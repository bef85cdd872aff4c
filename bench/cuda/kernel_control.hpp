#pragma once
// What a product kernel is told besides its product: the number of the run, and what happens to a wait that takes long.

#include <cuda_runtime_api.h>

#include <cstdint>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/signals.hpp"

class KernelControl {
 public:
  KernelControl() : words_(kRecordAt + sizeof(meshmul::cuda::ExpiredWait)) {
    meshmul::cuda::check(cudaMemset(words_.data(), 0, words_.num_bytes()), "clearing words");
  }
  /// The number of the run: 0 until somebody writes it.
  std::uint64_t* epoch() const { return words_.as<std::uint64_t>(); }
  meshmul::cuda::WaitControl wait() const {
    constexpr std::uint64_t kSecond = 1'000'000'000;
    return {reinterpret_cast<meshmul::cuda::ExpiredWait*>(words_.data() + kRecordAt),
            reinterpret_cast<std::uint32_t*>(words_.data() + kAbortAt), kSecond};
  }
  /// Whether some wait has run out, once the device is done with all that it was given.
  bool expired() const {
    std::uint32_t abort = 0;
    meshmul::cuda::check(cudaMemcpy(&abort, words_.data() + kAbortAt, sizeof abort, cudaMemcpyDeviceToHost),
                         "looking for waits that ran out");
    return abort != 0;
  }

 private:
  static constexpr std::size_t kAbortAt = 8, kRecordAt = 16;
  meshmul::cuda::DeviceMemory words_;
};
