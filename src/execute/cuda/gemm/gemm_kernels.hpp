#pragma once
// The product kernels that are compiled, and how to launch one.

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "execute/cuda/gemm/gemm_work.hpp"
#include "execute/cuda/gemm/product.hpp"

namespace meshmul::cuda {

/// What distinguishes the kernels: elements of the operands, what lies together in each, how many columns a tile has,
/// how sums of f8 are held, and whether there are epilogues.
struct GemmKernelKey {
  Dtype element = Dtype::kBf16;
  bool a_rows_together =
      false;  ///< neighbouring elements of the operand of rows are of neighbouring rows, not contracted indices
  bool b_columns_together = false;  ///< the same of the operand of columns
  std::int32_t tile_n = 0;
  bool fast_sums = false;  ///< of f8e4m3 alone: as `ProductKind` has it
  bool epilogue = false;   ///< products of a run may have one
  bool operator==(const GemmKernelKey&) const = default;
};
std::string to_string(const GemmKernelKey& key);

/// Whether a kernel of that key multiplies operands of that kind.
bool multiplies(const GemmKernelKey& key, const ProductKind& kind);

struct GemmKernel {
  GemmKernelKey key;
  const void* function = nullptr;
  std::int32_t shared_bytes = 0;
};

/// A warpgroup that loads, and those that multiply.
inline constexpr int kGemmThreads = kWarpgroup * (1 + kNumMultipliers);

/// Those of one element type, each compiled by a file of its own.
void add_bf16_kernels(std::vector<GemmKernel>& table);
void add_f16_kernels(std::vector<GemmKernel>& table);
void add_f8_kernels(std::vector<GemmKernel>& table);

/// All of them; widest tiles first among those that differ in nothing else.
const std::vector<GemmKernel>& gemm_kernels();

/// Loads a kernel on the current device, as `load_lane_kernels` does. It must have been, before it is launched.
void load(const GemmKernel& kernel);

/// Launches `num_blocks` blocks in clusters of `cluster` (1 or 2, which divides them).
void launch(const GemmKernel& kernel, const GemmWork& work, std::int32_t num_blocks, std::int32_t cluster,
            cudaStream_t stream);

}  // namespace meshmul::cuda
