#pragma once
// Carries any einsum over strided views to a kernel that multiplies two plain matrices. Operands that are such matrices
// are passed as they lie; others are packed panel by panel, widened on the way.

#include <cstdint>
#include <optional>

#include "kernels.hpp"
#include "matrix_kernel.hpp"
#include "product_loops.hpp"
#include "scratch.hpp"

namespace meshmul {

/// Panels that a library keeps between products. Together at most 32 MiB.
struct ProductScratch {
  ScratchBytes a, b;
  ScratchBytes part;  ///< a panel of the product over a part of the contraction, in the kernel's result dtype
  ScratchBytes sum;   ///< a panel of c, in the accumulator dtype
};

/// One product. Sums stay in the accumulator dtype of the inputs until all of the contraction is added.
class BlockedProduct {
 public:
  BlockedProduct(MatrixKernel& kernel, ProductScratch& scratch, View c, ConstView a, ConstView b, const Einsum& einsum,
                 bool accumulate);
  void run();

 private:
  void choose_panels();
  void run_matrix(const Panel& batch);
  void run_into_c(const Panel& left, const Panel& right);
  void run_into_sum(const Panel& left, const Panel& right);
  MatrixProduct prepare(const Panel& left, const Panel& right, const Panel& contracted);
  ConstMatrix matrix_a(const Panel& left, const Panel& contracted);
  ConstMatrix matrix_b(const Panel& contracted, const Panel& right);
  /// The matrix as it lies, if the kernel takes it so.
  std::optional<ConstMatrix> in_place(const ConstView& view, const std::byte* data, const LoopNest& rows,
                                      const LoopNest& columns, std::int64_t ProductLoop::* stride) const;

  MatrixKernel& kernel_;
  ProductScratch& scratch_;
  View c_;
  ConstView a_, b_;
  bool accumulate_;
  ProductLoops loops_;
  Dtype accumulator_;

  bool into_c_ = false;  // the kernel writes c itself
  std::int64_t left_limit_ = 0, right_limit_ = 0, contracted_limit_ = 0;
  struct PackedPanel {
    std::int64_t contracted = 0, right = 0;
    ConstMatrix matrix;
  };
  std::optional<PackedPanel> packed_b_;  // what scratch_.b holds
};

}  // namespace meshmul
