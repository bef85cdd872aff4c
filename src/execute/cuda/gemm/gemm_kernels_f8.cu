// Product kernels of f8e4m3 operands, whose contracted index always lies together.

#include "execute/cuda/gemm/gemm_kernel_table.cuh"

namespace meshmul::cuda {
namespace {

template <int kTileN, bool kFastSums>
void add(std::vector<GemmKernel>& table) {
  add_kernels<Dtype::kF8e4m3, Major::kContracted, Major::kContracted, kTileN, kFastSums>(table);
}

}  // namespace

void add_f8_kernels(std::vector<GemmKernel>& table) {
  // Two sets of sums of 256 columns are more than there are registers.
  add<224, false>(table);
  add<208, false>(table);
  add<192, false>(table);
  add<128, false>(table);
  add<256, true>(table);
  add<128, true>(table);
}

}  // namespace meshmul::cuda
