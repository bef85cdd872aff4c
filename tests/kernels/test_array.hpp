#pragma once
// A box of a bigger buffer, as the kernels see it, with elements read and written as doubles.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "meshmul/element.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

class TestArray {
 public:
  /// `shape` elements, with up to two elements of margin on either side of each dimension.
  TestArray(Dtype dtype, const Shape& shape, std::mt19937_64& random) : dtype_(dtype) {
    for (const std::int64_t extent : shape) {
      const auto before = static_cast<std::int64_t>(random() % 3);
      box_.push_back({before, before + extent});
      buffer_.push_back(before + extent + static_cast<std::int64_t>(random() % 3));
    }
    bytes_.resize(static_cast<std::size_t>(Box::whole(buffer_).num_elements() * size_bytes(dtype)));
  }

  View view() { return view_of(bytes_.data(), dtype_, buffer_, box_); }
  const std::vector<std::byte>& bytes() const { return bytes_; }
  std::vector<std::byte>& bytes() { return bytes_; }

  /// Calls f(element of type T&) for each element in row-major order of the box.
  template <class F>
  void each(F&& f) {
    with_element_type(dtype_, [&]<class T>() { visit<T>(view(), 0, 0, f); });
  }

  /// Small integers of [-range, range], which every dtype holds exactly up to 8.
  void fill_integers(std::mt19937_64& random, int range) {
    std::uniform_int_distribution<int> values(-range, range);
    each([&]<class T>(T& element) { element = convert<T>(static_cast<float>(values(random))); });
  }
  void fill_uniform(std::mt19937_64& random) {
    std::uniform_real_distribution<float> values(-1, 1);
    each([&]<class T>(T& element) { element = convert<T>(values(random)); });
  }
  /// Every byte of the buffer, also outside of the box: NaN in every float.
  void poison() { std::ranges::fill(bytes_, std::byte(0xFF)); }

  /// In row-major order of the box.
  std::vector<double> values() {
    std::vector<double> result;
    each([&]<class T>(T& element) { result.push_back(to_double(element)); });
    return result;
  }

  /// True if the bytes outside of the box are those of `other`, a former state of this array.
  bool margin_equals(const TestArray& other) const {
    TestArray a = *this;
    TestArray b = other;
    a.each([]<class T>(T& element) { element = T(); });
    b.each([]<class T>(T& element) { element = T(); });
    return a.bytes_ == b.bytes_;
  }

 private:
  template <class T, class F>
  static void visit(const View& view, int dim, std::int64_t offset, F& f) {
    if (dim == view.num_dims) return f(reinterpret_cast<T*>(view.data)[offset]);
    const auto d = static_cast<std::size_t>(dim);
    for (std::int64_t i = 0; i < view.extents[d]; ++i) visit<T>(view, dim + 1, offset + i * view.strides[d], f);
  }

  Dtype dtype_;
  Box box_;
  Shape buffer_;
  std::vector<std::byte> bytes_;
};

/// `num_dims` extents of [least, most].
inline Shape random_shape(std::mt19937_64& random, int num_dims, std::int64_t least, std::int64_t most) {
  Shape shape;
  std::uniform_int_distribution<std::int64_t> extents(least, most);
  for (int d = 0; d < num_dims; ++d) shape.push_back(extents(random));
  return shape;
}

}  // namespace meshmul
