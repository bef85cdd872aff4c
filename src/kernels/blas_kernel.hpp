#pragma once
// Products of f32 and f64 matrices by OpenBLAS, from several ranks of a process at once.

#include "matrix_kernel.hpp"

namespace meshmul {

/// T is float or double. Sets OpenBLAS to one thread a call, for the whole process. Throws Error(kUnsupported) if the
/// OpenBLAS that was loaded was built with OpenMP.
template <class T>
class BlasKernel : public MatrixKernel {
 public:
  /// Sums of products of 8-bit integers stay below 2^24 up to this depth, and are exact in f32.
  static constexpr std::int64_t kExactDepthOfI8 = 1024;

  explicit BlasKernel(std::int64_t max_depth = kMaxMatrixExtent);

  std::string description() const override;
  Dtype operand() const override;
  Dtype result() const override { return operand(); }
  std::int64_t max_depth() const override { return max_depth_; }
  void multiply(const MatrixProduct& product) override;

 private:
  std::int64_t max_depth_;
};

extern template class BlasKernel<float>;
extern template class BlasKernel<double>;

}  // namespace meshmul
