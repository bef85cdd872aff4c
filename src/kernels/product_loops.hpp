#pragma once
// The loops of an einsum over views, grouped by role, merged, and cut into panels.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "base/einsum.hpp"
#include "meshmul/view.hpp"

namespace meshmul {

/// A loop over one index, or over neighbours that act as one: how far a step goes in each operand, in elements.
struct ProductLoop {
  std::int64_t extent = 1;
  std::int64_t a = 0, b = 0, c = 0;
};

/// Loops of one role, outermost first; a role without loops has one element.
class LoopNest {
 public:
  void push_back(const ProductLoop& loop) {
    assert(size_ < kMaxDims);
    loops_[static_cast<std::size_t>(size_++)] = loop;
  }
  int size() const { return size_; }
  const ProductLoop& operator[](int i) const { return loops_[static_cast<std::size_t>(i)]; }
  ProductLoop& operator[](int i) { return loops_[static_cast<std::size_t>(i)]; }
  const ProductLoop* begin() const { return loops_.data(); }
  const ProductLoop* end() const { return loops_.data() + size_; }

  std::int64_t num_elements() const {
    std::int64_t elements = 1;
    for (const ProductLoop& loop : *this) elements *= loop.extent;
    return elements;
  }

 private:
  std::array<ProductLoop, kMaxDims> loops_{};
  int size_ = 0;
};

/// c[batch, left, right] = sum over contracted of a[batch, left, contracted] * b[batch, contracted, right].
struct ProductLoops {
  LoopNest batch, left, right, contracted;
};

/// Loops of one element are dropped, the others sorted by their stride in c (contracted ones: in a), and neighbours
/// merged where every operand allows.
ProductLoops product_loops(const ConstView& c, const ConstView& a, const ConstView& b, const Einsum& einsum);

/// The same product with a and b in each other's place.
ProductLoops swapped(const ProductLoops& loops);

/// A box of a nest: its loops with the extents of the box, and where it begins in each operand.
struct Panel {
  LoopNest loops;
  std::int64_t a = 0, b = 0, c = 0;
  std::int64_t index = 0;  ///< among the panels of its nest
};

/// Elements per loop of panels that have at most `most` elements, and are as equal as boxes can be.
std::array<std::int64_t, kMaxDims> panel_steps(const LoopNest& nest, std::int64_t most);

std::int64_t num_panels(const LoopNest& nest, std::int64_t most);

/// Calls f(panel) for panels of at most `most` elements that together cover the nest, the last loop fastest.
template <class F>
void for_each_panel(const LoopNest& nest, std::int64_t most, F&& f) {
  const std::array<std::int64_t, kMaxDims> steps = panel_steps(nest, most);
  std::array<std::int64_t, kMaxDims> begin{};
  for (std::int64_t index = 0;; ++index) {
    Panel panel{nest, 0, 0, 0, index};
    for (int d = 0; d < nest.size(); ++d) {
      const auto i = static_cast<std::size_t>(d);
      panel.loops[d].extent = std::min(steps[i], nest[d].extent - begin[i]);
      panel.a += begin[i] * nest[d].a;
      panel.b += begin[i] * nest[d].b;
      panel.c += begin[i] * nest[d].c;
    }
    f(panel);
    int d = nest.size() - 1;
    for (; d >= 0; --d) {
      const auto i = static_cast<std::size_t>(d);
      begin[i] += steps[i];
      if (begin[i] < nest[d].extent) break;
      begin[i] = 0;
    }
    if (d < 0) return;
  }
}

}  // namespace meshmul
