#pragma once
// Collects comparisons and keeps the worst.

#include <cstdint>

#include "meshmul/dtype.hpp"

namespace meshmul::checking {

/// A comparison at a place: the row-major offset of an element of the output.
struct Compared {
  std::int64_t offset = 0;
  double error = 0;
  double bound = 0;
  double found = 0;
  double expected = 0;

  /// error / bound; 0 without error, infinite for an error where none is allowed.
  double severity() const;
};

class Comparison {
 public:
  /// Found and expected agree if they differ by at most `bound`, are both NaN, or are the same infinity. An element of
  /// `dtype` may also be infinite (NaN if the dtype has no infinity) where the expected value comes within `bound` of
  /// what overflows.
  void add(Dtype dtype, std::int64_t offset, double found, double expected, double bound);

  /// What another comparison has seen, too. The result does not depend on the order.
  void merge(const Comparison& other);

  bool ok() const { return ok_; }
  std::int64_t count() const { return count_; }
  /// Of all comparisons the one of greatest severity, of these the first.
  const Compared& worst() const { return worst_; }

 private:
  void keep_worse(const Compared& compared);

  bool ok_ = true;
  std::int64_t count_ = 0;
  Compared worst_;
};

}  // namespace meshmul::checking
