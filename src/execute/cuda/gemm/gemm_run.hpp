#pragma once
// A run of products made ready for the device: which kernel, which tiles, all tables in device memory.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "execute/cuda/device_memory.hpp"
#include "execute/cuda/gemm/gemm_kernels.hpp"
#include "execute/cuda/gemm/gemm_tables.hpp"

namespace meshmul::cuda {

/// The fastest by a model: full waves of `num_blocks` blocks, wide tiles before narrow ones.
TileChoice choose_tiles(const ProductKind& kind, const std::vector<Product>& products, std::int32_t num_blocks);

/// The tables of one run on one device, which must be current when it is made and when it is launched.
class GemmRun {
 public:
  /// `epoch`: a word of the device that holds the number of the run of the schedule. `times`: by op, or null. Requires
  /// `has_kernel`.
  GemmRun(const ProductKind& kind, const std::vector<Product>& products, const std::vector<SignalWait>& waits,
          const std::uint64_t* epoch, DeviceOpTimes* times, const WaitControl& control, const TileChoice& choice,
          std::int32_t num_blocks);

  void launch(cudaStream_t stream) const;

 private:
  const GemmKernel* kernel_ = nullptr;
  GemmWork work_;
  std::int32_t num_blocks_ = 0;
  std::int32_t cluster_ = 1;
  DeviceMemory tables_;
};

}  // namespace meshmul::cuda
