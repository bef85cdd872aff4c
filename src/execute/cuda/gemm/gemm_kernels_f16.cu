// Product kernels of f16 operands.

#include "execute/cuda/gemm/gemm_kernel_table.cuh"

namespace meshmul::cuda {

void add_f16_kernels(std::vector<GemmKernel>& table) {
  add_all_majors<Dtype::kF16, 256>(table);
  add_all_majors<Dtype::kF16, 224>(table);
  add_all_majors<Dtype::kF16, 208>(table);
  add_all_majors<Dtype::kF16, 192>(table);
  add_all_majors<Dtype::kF16, 128>(table);
}

}  // namespace meshmul::cuda
