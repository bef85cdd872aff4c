#pragma once
// Arrays of small whole numbers of any strides, with bytes around them and between their elements that nobody may
// write.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "meshmul/element.hpp"
#include "meshmul/view.hpp"

namespace meshmul::cuda {

class StridedArray {
 public:
  /// Its first element lies `shift` elements behind a multiple of 256 bytes (of 16 in memory of the host).
  StridedArray(Dtype dtype, const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& strides,
               std::int64_t shift, std::mt19937& random)
      : offset_(kCanary + shift * size_bytes(dtype)) {
    view_.dtype = dtype;
    view_.num_dims = static_cast<int>(extents.size());
    std::int64_t last = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      view_.extents[d] = extents[d];
      view_.strides[d] = strides[d];
      last += (extents[d] - 1) * strides[d];
    }
    bytes_.assign(static_cast<std::size_t>(offset_ + (last + 1) * size_bytes(dtype) + kCanary), std::byte{0xFF});
    for (std::int64_t i = 0; i < view_.num_elements(); ++i) {
      std::int64_t at = 0, rest = i;
      for (std::size_t d = extents.size(); d-- > 0; rest /= extents[d]) at += rest % extents[d] * strides[d];
      set_element(bytes_.data() + offset_ + at * size_bytes(dtype), dtype,
                  static_cast<float>(static_cast<int>(random() % 5) - 2));
    }
  }

  const std::vector<std::byte>& bytes() const { return bytes_; }
  /// The array in a copy of `bytes` that lies at `memory`.
  View at(std::byte* memory) const {
    View view = view_;
    view.data = memory + offset_;
    return view;
  }
  View view() { return at(bytes_.data()); }

  static float element(const std::byte* at, Dtype dtype) {
    return with_element_type(dtype, [&]<class T>() { return convert<float>(*reinterpret_cast<const T*>(at)); });
  }
  static void set_element(std::byte* at, Dtype dtype, float value) {
    with_element_type(dtype, [&]<class T>() { *reinterpret_cast<T*>(at) = convert<T>(value); });
  }

 private:
  static constexpr std::int64_t kCanary = 256;
  View view_;
  std::int64_t offset_ = 0;
  std::vector<std::byte> bytes_;
};

/// Row-major, with `extra` elements behind each innermost row.
inline std::vector<std::int64_t> rows_of(const std::vector<std::int64_t>& extents, std::int64_t extra = 0) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  std::int64_t next = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = next;
    next = next * extents[d] + (d + 1 == extents.size() ? extra : 0);
  }
  return strides;
}

/// The dimensions in any order in memory, any of them with gaps.
inline std::vector<std::int64_t> any_strides(const std::vector<std::int64_t>& extents, std::mt19937& random) {
  std::vector<std::size_t> order(extents.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  std::vector<std::int64_t> strides(extents.size());
  std::int64_t next = 1 + static_cast<std::int64_t>(random() % 2);
  for (const std::size_t d : order) {
    strides[d] = next;
    next = next * extents[d] + static_cast<std::int64_t>(random() % 3);
  }
  return strides;
}

}  // namespace meshmul::cuda
