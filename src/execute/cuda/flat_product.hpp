#pragma once
// The loops of a product as flat arrays, which a kernel takes as its argument.

#include <cstdint>

#include "base/einsum.hpp"
#include "execute/cuda/gemm/host_device.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

/// Loops over the indices of one role, the last fastest, and how far they step in two operands.
struct FlatRole {
  std::int64_t count = 1;
  int num_loops = 0;
  std::int64_t extents[kMaxDims] = {};
  std::int64_t strides[2][kMaxDims] = {};
};

struct FlatProduct {
  static constexpr std::int64_t kTileRows = 2, kTileColumns = 32;

  void* c = nullptr;
  const void* a = nullptr;
  const void* b = nullptr;
  Dtype dtype = Dtype::kF32;
  Dtype c_dtype = Dtype::kF32;
  bool accumulate = false;
  FlatRole batch;       ///< in a and b
  FlatRole batch_in_c;  ///< in c, and nowhere
  FlatRole left;        ///< in a and c
  FlatRole right;       ///< in b and c
  FlatRole contracted;  ///< in a and b
  Dtype sum = Dtype::kF32;

  MESHMUL_HOST_DEVICE std::int64_t row_tiles() const { return (left.count + kTileRows - 1) / kTileRows; }
  MESHMUL_HOST_DEVICE std::int64_t column_tiles() const { return (right.count + kTileColumns - 1) / kTileColumns; }
  MESHMUL_HOST_DEVICE std::int64_t num_tiles() const { return batch.count * row_tiles() * column_tiles(); }
};

FlatProduct flat_product(const View& c, const ConstView& a, const ConstView& b, const Einsum& einsum, bool accumulate);

}  // namespace meshmul::cuda
