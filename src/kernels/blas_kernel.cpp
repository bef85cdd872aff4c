#include "blas_kernel.hpp"

#include <cblas.h>
#include <fmt/format.h>

#include <algorithm>
#include <semaphore>
#include <string_view>
#include <thread>
#include <type_traits>

#include "meshmul/error.hpp"

namespace meshmul {
namespace {

/// How many ranks of this process may be inside OpenBLAS at once. The build without threads hands out its packing buffers
/// without a lock. The one with threads has 128 of them, tens of MB each; more calls than cores gain nothing.
std::ptrdiff_t most_calls_at_once() {
  constexpr std::ptrdiff_t kBuffers = 128;
  if (openblas_get_parallel() == OPENBLAS_SEQUENTIAL) return 1;
  return std::clamp<std::ptrdiff_t>(std::thread::hardware_concurrency(), 1, kBuffers);
}

/// A place inside OpenBLAS for as long as it lives.
class BlasCall {
 public:
  BlasCall() { places().acquire(); }
  ~BlasCall() { places().release(); }
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;

 private:
  static std::counting_semaphore<>& places() {
    static std::counting_semaphore<> free_places(most_calls_at_once());
    return free_places;
  }
};

blasint size(std::int64_t extent) { return static_cast<blasint>(extent); }
CBLAS_TRANSPOSE transposition(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

/// y = matrix * x, or += with `accumulate`. `matrix` has rows x columns.
template <class T>
void multiply_vector(const ConstMatrix& matrix, std::int64_t rows, std::int64_t columns, const T* x,
                     std::int64_t x_step, T* y, std::int64_t y_step, bool accumulate) {
  // Not beta = 0: some versions multiply the old values by it, and NaN stays NaN.
  if (!accumulate)
    for (std::int64_t i = 0; i < rows; ++i) y[i * y_step] = 0;
  const auto* elements = reinterpret_cast<const T*>(matrix.data);
  const std::int64_t stored_rows = matrix.transposed ? columns : rows;
  const std::int64_t stored_columns = matrix.transposed ? rows : columns;
  const auto gemv = [] {
    if constexpr (std::is_same_v<T, float>)
      return cblas_sgemv;
    else
      return cblas_dgemv;
  }();
  gemv(CblasRowMajor, transposition(matrix.transposed), size(stored_rows), size(stored_columns), T(1), elements,
       size(matrix.leading), x, size(x_step), T(1), y, size(y_step));
}

/// OpenBLAS packs all of the matrix for a product with one row or column; gemv reads it once.
template <class T>
bool multiply_as_vector(const MatrixProduct& product) {
  const ConstMatrix& a = product.a;
  const ConstMatrix& b = product.b;
  auto* c = reinterpret_cast<T*>(product.c.data);
  if (product.n == 1) {
    multiply_vector(a, product.m, product.k, reinterpret_cast<const T*>(b.data), b.transposed ? 1 : b.leading, c,
                    product.c.leading, product.accumulate);
    return true;
  }
  if (product.m == 1) {
    const ConstMatrix b_transposed{b.data, b.leading, !b.transposed};
    multiply_vector(b_transposed, product.n, product.k, reinterpret_cast<const T*>(a.data),
                    a.transposed ? a.leading : 1, c, 1, product.accumulate);
    return true;
  }
  return false;
}

}  // namespace

template <class T>
BlasKernel<T>::BlasKernel(std::int64_t max_depth) : max_depth_(max_depth) {
  if (openblas_get_parallel() == OPENBLAS_OPENMP)
    throw Error(
        ErrorCode::kUnsupported,
        fmt::format("the OpenBLAS that was loaded takes its threads from OpenMP, whose number cannot be held to "
                    "one for all ranks; the build with pthreads is needed (Debian: libopenblas0-pthread). It "
                    "says: {}",
                    openblas_get_config()));
  // More would take the cores of other ranks.
  if (openblas_get_num_threads() != 1) openblas_set_num_threads(1);
}

template <class T>
std::string BlasKernel<T>::description() const {
  // `OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …`: name and version.
  const std::string_view config = openblas_get_config();
  return fmt::format("{} ({}, one thread)", config.substr(0, config.find(' ', config.find(' ') + 1)),
                     openblas_get_corename());
}

template <class T>
Dtype BlasKernel<T>::operand() const {
  return std::is_same_v<T, float> ? Dtype::kF32 : Dtype::kF64;
}

template <class T>
void BlasKernel<T>::multiply(const MatrixProduct& product) {
  const BlasCall call;
  if (multiply_as_vector<T>(product)) return;
  const auto gemm = [] {
    if constexpr (std::is_same_v<T, float>)
      return cblas_sgemm;
    else
      return cblas_dgemm;
  }();
  gemm(CblasRowMajor, transposition(product.a.transposed), transposition(product.b.transposed), size(product.m),
       size(product.n), size(product.k), T(1), reinterpret_cast<const T*>(product.a.data), size(product.a.leading),
       reinterpret_cast<const T*>(product.b.data), size(product.b.leading), product.accumulate ? T(1) : T(0),
       reinterpret_cast<T*>(product.c.data), size(product.c.leading));
}

template class BlasKernel<float>;
template class BlasKernel<double>;

}  // namespace meshmul
