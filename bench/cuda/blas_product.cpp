#include "blas_product.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "timing.hpp"

using meshmul::Dtype;
using meshmul::cuda::DeviceMemory;

namespace {

void check_blas(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(fmt::format("{}: {}", what, cublasLtGetStatusString(status)));
}

}  // namespace

BlasProduct::BlasProduct(const Shape& shape, const Layout& layout, Dtype dtype, bool fast_sums)
    : workspace_(kWorkspaceBytes) {
  check_blas(cublasLtCreate(&handle_), "opening cuBLASLt");
  check_blas(cublasLtMatmulDescCreate(&operation_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing a product");
  const cublasOperation_t of_b = layout.b_columns_together ? CUBLAS_OP_N : CUBLAS_OP_T;
  const cublasOperation_t of_a = layout.a_rows_together ? CUBLAS_OP_T : CUBLAS_OP_N;
  cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSA, &of_b, sizeof of_b);
  cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_TRANSB, &of_a, sizeof of_a);
  const std::int8_t fast = fast_sums ? 1 : 0;
  cublasLtMatmulDescSetAttribute(operation_, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast);
  const auto matrix = [](cublasLtMatrixLayout_t& made, cudaDataType_t type, std::int64_t together, std::int64_t apart) {
    check_blas(cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(together),
                                          static_cast<std::uint64_t>(apart), together),
               "describing a matrix");
  };
  const cudaDataType_t type = dtype == Dtype::kF8e4m3 ? CUDA_R_8F_E4M3 : CUDA_R_16BF;
  matrix(a_, type, layout.a_rows_together ? shape.m : shape.k, layout.a_rows_together ? shape.k : shape.m);
  matrix(b_, type, layout.b_columns_together ? shape.n : shape.k, layout.b_columns_together ? shape.k : shape.n);
  matrix(c_, CUDA_R_16BF, shape.n, shape.m);
  check_blas(cublasLtMatmulPreferenceCreate(&preference_), "asking for algorithms");
  cublasLtMatmulPreferenceSetAttribute(preference_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &kWorkspaceBytes,
                                       sizeof kWorkspaceBytes);
  check_blas(cublasLtMatmulAlgoGetHeuristic(handle_, operation_, b_, a_, c_, c_, preference_, kMostAlgorithms, found_,
                                            &num_algorithms_),
             "asking for algorithms");
}

BlasProduct::~BlasProduct() {
  cublasLtMatmulPreferenceDestroy(preference_);
  for (const cublasLtMatrixLayout_t layout : {a_, b_, c_}) cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(operation_);
  cublasLtDestroy(handle_);
}

void BlasProduct::choose(const Operands& operands, const DeviceMemory& c, cudaStream_t stream) {
  const StopWatch time(stream);
  int best = 0;
  double best_us = 0;
  for (chosen_ = 0; chosen_ < num_algorithms_; ++chosen_) {
    constexpr std::size_t kCalls = 9;
    std::vector<double> us;
    for (std::size_t i = 0; i < kCalls; ++i) {
      const std::size_t pair = i % operands.a.size();
      us.push_back(time([&] { run(operands.a[pair], operands.b[pair], c, stream); }));
    }
    const double median_us = median(us);
    if (chosen_ == 0 || median_us < best_us) {
      best = chosen_;
      best_us = median_us;
    }
  }
  chosen_ = best;
}

void BlasProduct::run(const DeviceMemory& a, const DeviceMemory& b, const DeviceMemory& c, cudaStream_t stream) const {
  const float one = 1, zero = 0;
  check_blas(cublasLtMatmul(handle_, operation_, &one, b.data(), b_, a.data(), a_, &zero, c.data(), c_, c.data(), c_,
                            &found_[chosen_].algo, workspace_.data(), kWorkspaceBytes, stream),
             "multiplying by cuBLASLt");
}
