// Product kernels of f8e4m3 operands, whose contracted index always lies together.

#include "execute/cuda/gemm/gemm_kernel_table.cuh"

namespace meshmul::cuda {

void add_f8_kernels(std::vector<GemmKernel>& table) {
  add_kernels<Dtype::kF8e4m3, Major::kContracted, Major::kContracted, 256>(table);
  add_kernels<Dtype::kF8e4m3, Major::kContracted, Major::kContracted, 128>(table);
}

}  // namespace meshmul::cuda
