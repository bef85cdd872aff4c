#pragma once
// Products of i32 matrices, which no library offers; sums wrap modulo 2^32.

#include "cpu_features.hpp"
#include "matrix_kernel.hpp"

namespace meshmul {

class IntegerKernel : public MatrixKernel {
 public:
  explicit IntegerKernel(const CpuFeatures& cpu) : cpu_(cpu) {}

  std::string description() const override { return "blocked loops"; }
  Dtype operand() const override { return Dtype::kI32; }
  Dtype result() const override { return Dtype::kI32; }
  bool needs_rows() const override { return true; }
  void multiply(const MatrixProduct& product) override;

 private:
  CpuFeatures cpu_;
};

}  // namespace meshmul
