#include "execute/cuda/gemm/gemm_kernels.hpp"

#include <fmt/format.h>

#include "execute/cuda/device_error.hpp"
#include "execute/cuda/load_kernel.hpp"

namespace meshmul::cuda {

std::string to_string(const GemmKernelKey& key) {
  return fmt::format("{} 128 x {}, a by {}, b by {}{}{}", name(key.element), key.tile_n,
                     key.a_rows_together ? "rows" : "k", key.b_columns_together ? "columns" : "k",
                     key.fast_sums ? ", fast sums" : "", key.epilogue ? ", epilogue" : "");
}

bool multiplies(const GemmKernelKey& key, const ProductKind& kind) {
  return key.element == kind.element && key.a_rows_together == kind.a_rows_together &&
         key.b_columns_together == kind.b_columns_together &&
         (kind.element != Dtype::kF8e4m3 || key.fast_sums == kind.fast_sums);
}

const std::vector<GemmKernel>& gemm_kernels() {
  static const std::vector<GemmKernel> table = [] {
    std::vector<GemmKernel> kernels;
    add_bf16_kernels(kernels);
    add_f16_kernels(kernels);
    add_f8_kernels(kernels);
    return kernels;
  }();
  return table;
}

void load(const GemmKernel& kernel) {
  load_kernel(kernel.function);
  check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize, kernel.shared_bytes),
        "taking shared memory for a product");
}

void launch(const GemmKernel& kernel, const GemmWork& work, std::int32_t num_blocks, std::int32_t cluster,
            cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(num_blocks));
  config.blockDim = dim3(kGemmThreads);
  config.dynamicSmemBytes = static_cast<std::size_t>(kernel.shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  void* arguments[] = {const_cast<GemmWork*>(&work)};
  check(cudaLaunchKernelExC(&config, kernel.function, arguments), "launching a product");
}

}  // namespace meshmul::cuda
