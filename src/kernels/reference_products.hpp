#pragma once
// Local products as plain loops: right for every dtype, obvious, slow. What the tuned libraries are judged by.

#include <string>

#include "kernels.hpp"

namespace meshmul {

/// Sums in the accumulator dtype of the inputs, in index order: contracted letters in the order of a, the last fastest.
class ReferenceProducts : public LocalProductLibrary {
 public:
  std::string description() const override { return "reference loops"; }
  void gemm(View c, ConstView a, ConstView b, const Einsum& einsum, bool accumulate) override;
};

}  // namespace meshmul
