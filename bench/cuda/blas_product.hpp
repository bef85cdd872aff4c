#pragma once
// Products by cuBLASLt, which no other part of meshmul knows of.

#include <cublasLt.h>

#include "execute/cuda/device_memory.hpp"
#include "meshmul/dtype.hpp"
#include "operands.hpp"
#include "shape.hpp"

/// It counts columns first, so that its c^T = b^T a^T is our c = a b.
class BlasProduct {
 public:
  /// Results are bf16. `fast_sums`: of f8e4m3, as the hardware holds them.
  BlasProduct(const Shape& shape, const Layout& layout, meshmul::Dtype dtype, bool fast_sums);
  BlasProduct(const BlasProduct&) = delete;
  BlasProduct& operator=(const BlasProduct&) = delete;
  ~BlasProduct();

  /// Takes the fastest of the algorithms that cuBLASLt proposes, by nine calls of each.
  void choose(const Operands& operands, const meshmul::cuda::DeviceMemory& c, cudaStream_t stream);
  void run(const meshmul::cuda::DeviceMemory& a, const meshmul::cuda::DeviceMemory& b,
           const meshmul::cuda::DeviceMemory& c, cudaStream_t stream) const;

 private:
  static constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
  static constexpr int kMostAlgorithms = 8;
  meshmul::cuda::DeviceMemory workspace_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t operation_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, c_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
  cublasLtMatmulHeuristicResult_t found_[kMostAlgorithms] = {};
  int num_algorithms_ = 0;
  int chosen_ = 0;
};
