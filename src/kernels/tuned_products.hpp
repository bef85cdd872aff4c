#pragma once
// Local products by tuned libraries: per dtype one kernel.

#include <array>
#include <memory>
#include <string>

#include "blocked_product.hpp"
#include "cpu_features.hpp"
#include "kernels.hpp"
#include "matrix_kernel.hpp"

namespace meshmul {

class TunedProducts : public LocalProductLibrary {
 public:
  /// OpenBLAS for f64, f32 and, widened to f32, for f16, f8e4m3, bf16 and i8; loops of our own for i32. With
  /// `use_onednn`, bf16 and i8 by oneDNN where it is fast and right on such a CPU.
  TunedProducts(const CpuFeatures& cpu, bool use_onednn);

  /// `OpenBLAS 0.3.21 (SkylakeX, one thread): f64 f32 f16 f8e4m3; oneDNN 2.6.3: bf16 i8; blocked loops: i32`
  std::string description() const override;
  void gemm(View c, ConstView a, ConstView b, const Einsum& einsum, bool accumulate) override;

 private:
  std::shared_ptr<MatrixKernel>& kernel(Dtype dtype) { return kernels_[static_cast<std::size_t>(dtype)]; }

  std::array<std::shared_ptr<MatrixKernel>, std::size(kAllDtypes)> kernels_;
  ProductScratch scratch_;
};

}  // namespace meshmul
