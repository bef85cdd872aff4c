#pragma once
// Intervals and n-dimensional boxes of 64-bit element coordinates, half open.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace meshmul {

/// Most dimensions that an array may have.
inline constexpr int kMaxDims = 8;

/// Elements per dimension. A scalar has the empty shape.
using Shape = std::vector<std::int64_t>;

/// [begin, end); empty when end <= begin.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t size() const { return end > begin ? end - begin : 0; }
  bool empty() const { return end <= begin; }
  bool operator==(const Interval&) const = default;
};

inline Interval intersect(Interval a, Interval b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

/// The product of intervals, at most kMaxDims of them. With no dimensions it holds one element. Large schedules are made of
/// boxes, nearly all of few dimensions: up to three lie in the box itself, more on the heap.
class Box {
 public:
  Box() = default;
  Box(const Box& other) : num_dims_(other.num_dims_), intervals_(other.intervals_) {
    if (is_far()) intervals_.far = far_copy(other);
  }
  /// Leaves `other` without dimensions.
  Box(Box&& other) noexcept : num_dims_(std::exchange(other.num_dims_, 0)), intervals_(other.intervals_) {}
  Box& operator=(const Box& other) {
    if (is_far() || other.is_far()) return *this = Box(other);
    num_dims_ = other.num_dims_;
    intervals_ = other.intervals_;
    return *this;
  }
  Box& operator=(Box&& other) noexcept {
    std::swap(num_dims_, other.num_dims_);
    std::swap(intervals_, other.intervals_);
    return *this;
  }
  ~Box() {
    if (is_far()) delete[] intervals_.far;
  }
  Box(std::initializer_list<Interval> intervals) : Box(std::span(intervals.begin(), intervals.size())) {}
  explicit Box(std::span<const Interval> intervals) {
    for (const Interval& interval : intervals) push_back(interval);
  }

  /// [0, shape[0]) x [0, shape[1]) x …
  static Box whole(const Shape& shape);

  int num_dims() const { return num_dims_; }
  void push_back(Interval interval) {
    assert(num_dims_ < kMaxDims);
    if (num_dims_ == kNearDims) intervals_.far = far_copy(*this);
    ++num_dims_;
    (*this)[num_dims_ - 1] = interval;
  }
  const Interval& operator[](int dim) const { return begin()[dim]; }
  Interval& operator[](int dim) { return (is_far() ? intervals_.far : intervals_.near.data())[dim]; }
  const Interval* begin() const { return is_far() ? intervals_.far : intervals_.near.data(); }
  const Interval* end() const { return begin() + num_dims_; }

  bool empty() const {
    return std::any_of(begin(), end(), [](const Interval& interval) { return interval.empty(); });
  }
  std::int64_t num_elements() const;
  Shape shape() const;
  /// True if every element of `other` is in this box; an empty `other` always is.
  bool contains(const Box& other) const;
  /// The same extents, moved so that every dimension begins at 0.
  Box at_origin() const;
  /// Moved by `offsets[d]` in each dimension d.
  Box shifted(std::span<const std::int64_t> offsets) const;

  /// `[0:3, 4:8]`, as in the text form of a schedule.
  std::string str() const;
  bool operator==(const Box& other) const;

 private:
  static constexpr int kNearDims = 3;  // a region, rank and buffer included, then takes one cache line
  union Intervals {
    std::array<Interval, kNearDims> near{};
    Interval* far;  // kMaxDims of them
  };

  bool is_far() const { return num_dims_ > kNearDims; }
  static Interval* far_copy(const Box& box) {
    auto* copy = new Interval[kMaxDims];
    std::copy(box.begin(), box.end(), copy);
    return copy;
  }

  int num_dims_ = 0;
  Intervals intervals_;
};

/// Dimension by dimension; both have the same number of dimensions.
Box intersect(const Box& a, const Box& b);
inline bool overlap(const Box& a, const Box& b) {
  assert(a.num_dims() == b.num_dims());
  for (int d = 0; d < a.num_dims(); ++d)
    if (intersect(a[d], b[d]).empty()) return false;
  return true;
}

/// `a` without `b`, as at most 2 x num_dims disjoint boxes.
std::vector<Box> subtract(const Box& a, const Box& b);

/// The union of two boxes that do not overlap, if it is a box: one side of `a` is a side of `b`. Neither is empty.
std::optional<Box> join(const Box& a, const Box& b);

/// True if the elements of `box` lie side by side in a row-major buffer of `shape`; an empty box always does.
bool is_contiguous(const Box& box, const Shape& shape);

}  // namespace meshmul
