#pragma once
// Slices along the first dimension of an array: which box of it they are, and where they lie in its memory.

#include <algorithm>
#include <cstdint>

#include "meshmul/box.hpp"
#include "meshmul/dtype.hpp"

namespace meshmul {

/// `box` of slice number `index`, in the array that it is a slice of.
inline Box in_whole_array(std::int64_t index, const Box& box) {
  Box whole{{index, index + 1}};
  for (const Interval& interval : box) whole.push_back(interval);
  return whole;
}

/// The other dimensions.
inline Box without_first_dim(const Box& box) {
  Box rest;
  for (int d = 1; d < box.num_dims(); ++d) rest.push_back(box[d]);
  return rest;
}

/// The part of a View or ConstView at position `index` of its first dimension, which it then lacks.
template <class AnyView>
AnyView slice_of(AnyView view, std::int64_t index) {
  view.data += index * view.strides[0] * size_bytes(view.dtype);
  std::copy(view.extents.begin() + 1, view.extents.end(), view.extents.begin());
  std::copy(view.strides.begin() + 1, view.strides.end(), view.strides.begin());
  --view.num_dims;
  return view;
}

/// The same elements behind a first dimension of size 1. The view has fewer than kMaxDims dimensions.
template <class AnyView>
AnyView behind_first_dim(AnyView view) {
  const std::int64_t num_elements = view.num_elements();
  std::copy_backward(view.extents.begin(), view.extents.end() - 1, view.extents.end());
  std::copy_backward(view.strides.begin(), view.strides.end() - 1, view.strides.end());
  view.extents[0] = 1;
  view.strides[0] = num_elements;
  ++view.num_dims;
  return view;
}

}  // namespace meshmul
