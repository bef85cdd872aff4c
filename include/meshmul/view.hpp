#pragma once
// An n-d array as memory: where its first element lies, and how far apart neighbours are.

#include <array>
#include <cstddef>
#include <cstdint>

#include "meshmul/box.hpp"
#include "meshmul/dtype.hpp"

namespace meshmul {

/// An n-d array of `dtype` with element (not byte) strides. `Byte` is std::byte or const std::byte.
template <class Byte>
struct BasicView {
  Byte* data = nullptr;
  Dtype dtype = Dtype::kF32;
  int num_dims = 0;
  std::array<std::int64_t, kMaxDims> extents{};
  std::array<std::int64_t, kMaxDims> strides{};

  std::int64_t num_elements() const {
    std::int64_t elements = 1;
    for (int d = 0; d < num_dims; ++d) elements *= extents[static_cast<std::size_t>(d)];
    return elements;
  }
  operator BasicView<const std::byte>() const { return {data, dtype, num_dims, extents, strides}; }
};
using View = BasicView<std::byte>;
using ConstView = BasicView<const std::byte>;

/// `box` of a dense row-major array of `shape` whose memory begins at `base`.
View view_of(std::byte* base, Dtype dtype, const Shape& shape, const Box& box);
ConstView view_of(const std::byte* base, Dtype dtype, const Shape& shape, const Box& box);

}  // namespace meshmul
