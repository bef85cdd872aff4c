#pragma once
// A part of a product, built up from pieces of its operands in whatever order they come.

#include <string>
#include <vector>

#include "pieces.hpp"

namespace meshmul {

/// The product that all ranks compute of their shards: the types, and the pieces that each rank multiplies.
struct PiecewiseProduct {
  ArrayType a, b, c;
  Pieces a_pieces, b_pieces;
  std::string einsum;  ///< `ij,jk->ik`
};

/// `part` of C, written at `where`, perhaps at a peer, by gemms of `rank`. The first gemm for an element writes it, all
/// others add to it.
class ProductSum {
 public:
  /// With `accumulate`, `where` holds a sum already that all gemms add to.
  ProductSum(const PiecewiseProduct& product, int rank, Piece sum, bool accumulate);

  /// Adds what `a` and `b` contribute: their products over the indices that they have in common. Nothing if they share no
  /// index of the contraction, or no element of the part.
  void add(ScheduleBuilder& builder, const Piece& a, const Piece& b);
  /// Adds all pieces of the rank, in order.
  void add_all(ScheduleBuilder& builder);
  /// Elements that no gemm wrote, since the contraction is empty, become zeros.
  void finish(ScheduleBuilder& builder);

 private:
  void multiply(ScheduleBuilder& builder, const Box& c, const Piece& a, const Piece& b, bool accumulate) const;

  const PiecewiseProduct& product_;
  int rank_;
  Piece sum_;
  std::vector<Box> unwritten_;
};

/// True if some element of C is added up by more than one gemm, so that a narrow dtype would be rounded in between.
bool is_added_in_parts(const PiecewiseProduct& product);

}  // namespace meshmul
