// Product kernels of bf16 operands.

#include "execute/cuda/gemm/gemm_kernel_table.cuh"

namespace meshmul::cuda {

void add_bf16_kernels(std::vector<GemmKernel>& table) {
  add_all_majors<Dtype::kBf16, 256>(table);
  add_all_majors<Dtype::kBf16, 224>(table);
  add_all_majors<Dtype::kBf16, 208>(table);
  add_all_majors<Dtype::kBf16, 192>(table);
  add_all_majors<Dtype::kBf16, 128>(table);
}

}  // namespace meshmul::cuda
