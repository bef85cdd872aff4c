#pragma once
// A whole array in the memory of this process: what `gather` returns, what files hold, and what `check` compares.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "meshmul/box.hpp"
#include "meshmul/dtype.hpp"
#include "meshmul/element.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// A dense row-major array that owns its elements. A default one is the f32 array of shape {0}.
class HostArray {
 public:
  HostArray() : shape_{0} {}
  /// All elements zero. Throws Error(kInvalidArgument) for more than kMaxDims dimensions, a negative extent, or more
  /// than 2^62 bytes; Error(kOutOfMemory) if this process cannot have the memory.
  HostArray(Dtype dtype, Shape shape);

  Dtype dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  std::int64_t num_elements() const { return num_bytes() / size_bytes(dtype_); }
  std::int64_t num_bytes() const { return static_cast<std::int64_t>(bytes_.size()); }
  std::span<std::byte> bytes() { return bytes_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  /// All elements in row-major order. T is the element type of the dtype: double, float, Bf16, F16, F8e4m3, int8,
  /// int32.
  template <class T>
  std::span<T> elements() {
    assert_type<T>();
    return {reinterpret_cast<T*>(bytes_.data()), static_cast<std::size_t>(num_elements())};
  }
  template <class T>
  std::span<const T> elements() const {
    assert_type<T>();
    return {reinterpret_cast<const T*>(bytes_.data()), static_cast<std::size_t>(num_elements())};
  }

  /// The element at a row-major position, exactly.
  double operator[](std::int64_t index) const;
  /// Writes it with one rounding to the dtype; for integers `value` must be a whole number in range.
  void set(std::int64_t index, double value);

  View view() { return view(Box::whole(shape_)); }
  ConstView view() const { return view(Box::whole(shape_)); }
  /// A box that lies in the array.
  View view(const Box& box) { return view_of(bytes_.data(), dtype_, shape_, box); }
  ConstView view(const Box& box) const { return view_of(bytes_.data(), dtype_, shape_, box); }

  /// Same dtype, shape and bits; so NaN equals the same NaN, and -0 is not 0.
  bool operator==(const HostArray&) const = default;

 private:
  template <class T>
  void assert_type() const {
    assert((with_element_type(dtype_, []<class E>() { return std::is_same_v<E, T>; })));
  }

  Dtype dtype_ = Dtype::kF32;
  Shape shape_;
  std::vector<std::byte> bytes_;
};

}  // namespace meshmul
