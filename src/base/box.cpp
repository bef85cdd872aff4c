#include "meshmul/box.hpp"

#include <algorithm>

namespace meshmul {

Box Box::whole(const Shape& shape) {
  Box box;
  for (const std::int64_t extent : shape) box.push_back({0, extent});
  return box;
}

std::int64_t Box::num_elements() const {
  if (empty()) return 0;  // the other dimensions alone may be more than can be counted
  std::int64_t elements = 1;
  for (const Interval& interval : *this) elements *= interval.size();
  return elements;
}

Shape Box::shape() const {
  Shape shape;
  for (const Interval& interval : *this) shape.push_back(interval.size());
  return shape;
}

bool Box::contains(const Box& other) const {
  if (other.empty()) return true;
  for (int d = 0; d < num_dims_; ++d)
    if (other[d].begin < (*this)[d].begin || other[d].end > (*this)[d].end) return false;
  return true;
}

Box Box::at_origin() const {
  Box box;
  for (const Interval& interval : *this) box.push_back({0, interval.size()});
  return box;
}

Box Box::shifted(std::span<const std::int64_t> offsets) const {
  assert(static_cast<int>(offsets.size()) == num_dims_);
  Box box = *this;
  for (int d = 0; d < num_dims_; ++d) {
    box[d].begin += offsets[static_cast<std::size_t>(d)];
    box[d].end += offsets[static_cast<std::size_t>(d)];
  }
  return box;
}

std::string Box::str() const {
  std::string text = "[";
  for (int d = 0; d < num_dims_; ++d) {
    if (d > 0) text += ", ";
    text += std::to_string((*this)[d].begin) + ":" + std::to_string((*this)[d].end);
  }
  return text + "]";
}

bool Box::operator==(const Box& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

Box intersect(const Box& a, const Box& b) {
  assert(a.num_dims() == b.num_dims());
  Box box;
  for (int d = 0; d < a.num_dims(); ++d) box.push_back(intersect(a[d], b[d]));
  return box;
}

std::vector<Box> subtract(const Box& a, const Box& b) {
  if (a.empty()) return {};
  const Box common = intersect(a, b);
  if (common.empty()) return {a};
  // Peel off one side after the other; what remains shrinks towards the common part.
  std::vector<Box> parts;
  Box rest = a;
  for (int d = 0; d < a.num_dims(); ++d) {
    if (rest[d].begin < common[d].begin) {
      parts.push_back(rest);
      parts.back()[d].end = common[d].begin;
    }
    if (common[d].end < rest[d].end) {
      parts.push_back(rest);
      parts.back()[d].begin = common[d].end;
    }
    rest[d] = common[d];
  }
  return parts;
}

std::optional<Box> join(const Box& a, const Box& b) {
  assert(a.num_dims() == b.num_dims());
  int differing = -1;
  for (int d = 0; d < a.num_dims(); ++d) {
    if (a[d] == b[d]) continue;
    if (differing >= 0) return std::nullopt;
    differing = d;
  }
  if (differing < 0) return std::nullopt;
  const Interval& left = a[differing];
  const Interval& right = b[differing];
  if (left.end != right.begin && right.end != left.begin) return std::nullopt;
  Box joined = a;
  joined[differing] = {std::min(left.begin, right.begin), std::max(left.end, right.end)};
  return joined;
}

bool is_contiguous(const Box& box, const Shape& shape) {
  if (box.empty()) return true;
  int d = 0;
  while (d < box.num_dims() && box[d].size() == 1) ++d;
  // Dimension d may be a part; all after it must be whole.
  for (++d; d < box.num_dims(); ++d)
    if (box[d].size() != shape[static_cast<std::size_t>(d)]) return false;
  return true;
}

}  // namespace meshmul
