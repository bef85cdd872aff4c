#pragma once
// One tuned routine of a library: the product of two matrices. Everything that is not two plain matrices of the right
// dtype is made such by BlockedProduct.

#include <cstddef>
#include <cstdint>
#include <string>

#include "meshmul/dtype.hpp"

namespace meshmul {

/// Element (row, column) lies at row * leading + column, or at column * leading + row if transposed.
template <class Byte>
struct BasicMatrix {
  Byte* data = nullptr;
  std::int64_t leading = 1;
  bool transposed = false;
};
using Matrix = BasicMatrix<std::byte>;
using ConstMatrix = BasicMatrix<const std::byte>;

/// c = a * b, or c += a * b. a is m x k, b is k x n, c is m x n; no extent is 0. Extents and leading dimensions are at
/// most kMaxMatrixExtent.
struct MatrixProduct {
  std::int64_t m = 0, n = 0, k = 0;
  ConstMatrix a, b;
  Matrix c;  ///< never transposed
  Dtype c_dtype = Dtype::kF32;
  bool accumulate = false;
};

/// The libraries count in 32 bits.
inline constexpr std::int64_t kMaxMatrixExtent = 1 << 30;

class MatrixKernel {
 public:
  virtual ~MatrixKernel() = default;

  /// `OpenBLAS 0.3.21 (SkylakeX, one thread)`
  virtual std::string description() const = 0;
  /// The dtype of a and b.
  virtual Dtype operand() const = 0;
  /// The dtype of c in which sums are held.
  virtual Dtype result() const = 0;
  /// True if c may have `dtype`, rounded once from the whole sum.
  virtual bool rounds_into(Dtype dtype) const { return dtype == result(); }
  /// Largest k whose sums are right in the result dtype.
  virtual std::int64_t max_depth() const { return kMaxMatrixExtent; }
  /// False if `accumulate` is not offered, or not as exact as a product.
  virtual bool accumulates() const { return true; }
  /// True if neither a nor b may be transposed.
  virtual bool needs_rows() const { return false; }

  virtual void multiply(const MatrixProduct& product) = 0;
};

}  // namespace meshmul
