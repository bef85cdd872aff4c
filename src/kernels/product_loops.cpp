#include "product_loops.hpp"

#include <string>

namespace meshmul {
namespace {

std::int64_t stride_of(char letter, const std::string& letters, const ConstView& view) {
  const std::size_t d = letters.find(letter);
  return d == std::string::npos ? 0 : view.strides[d];
}

bool has(const std::string& letters, char letter) { return letters.find(letter) != std::string::npos; }

/// Inserts `loop` so that strides in `operand` descend, after those that are equal.
void insert(LoopNest& nest, const ProductLoop& loop, std::int64_t ProductLoop::* operand) {
  nest.push_back(loop);
  for (int i = nest.size() - 1; i > 0 && nest[i - 1].*operand < nest[i].*operand; --i) std::swap(nest[i - 1], nest[i]);
}

LoopNest merged(const LoopNest& nest) {
  LoopNest result;
  for (const ProductLoop& loop : nest) {
    if (result.size() > 0) {
      ProductLoop& outer = result[result.size() - 1];
      if (outer.a == loop.a * loop.extent && outer.b == loop.b * loop.extent && outer.c == loop.c * loop.extent) {
        outer = {outer.extent * loop.extent, loop.a, loop.b, loop.c};
        continue;
      }
    }
    result.push_back(loop);
  }
  return result;
}

}  // namespace

ProductLoops product_loops(const ConstView& c, const ConstView& a, const ConstView& b, const Einsum& einsum) {
  ProductLoops loops;
  const auto loop_of = [&](char letter, std::int64_t extent) {
    return ProductLoop{extent, stride_of(letter, einsum.a, a), stride_of(letter, einsum.b, b),
                       stride_of(letter, einsum.c, c)};
  };
  for (std::size_t d = 0; d < einsum.c.size(); ++d) {
    const char letter = einsum.c[d];
    if (c.extents[d] == 1) continue;
    const bool in_a = has(einsum.a, letter);
    LoopNest& nest = in_a && has(einsum.b, letter) ? loops.batch : in_a ? loops.left : loops.right;
    insert(nest, loop_of(letter, c.extents[d]), &ProductLoop::c);
  }
  for (std::size_t d = 0; d < einsum.a.size(); ++d)
    if (!has(einsum.c, einsum.a[d]) && a.extents[d] != 1)
      insert(loops.contracted, loop_of(einsum.a[d], a.extents[d]), &ProductLoop::a);
  return {merged(loops.batch), merged(loops.left), merged(loops.right), merged(loops.contracted)};
}

ProductLoops swapped(const ProductLoops& loops) {
  const auto swap_operands = [](LoopNest nest) {
    for (int i = 0; i < nest.size(); ++i) std::swap(nest[i].a, nest[i].b);
    return nest;
  };
  return {swap_operands(loops.batch), swap_operands(loops.right), swap_operands(loops.left),
          swap_operands(loops.contracted)};
}

std::array<std::int64_t, kMaxDims> panel_steps(const LoopNest& nest, std::int64_t most) {
  std::array<std::int64_t, kMaxDims> steps{};
  std::int64_t room = most;
  for (int d = nest.size() - 1; d >= 0; --d) {
    const std::int64_t extent = nest[d].extent;
    const std::int64_t pieces = (extent + room - 1) / room;
    steps[static_cast<std::size_t>(d)] = (extent + pieces - 1) / pieces;
    room = pieces > 1 ? 1 : room / extent;
  }
  return steps;
}

std::int64_t num_panels(const LoopNest& nest, std::int64_t most) {
  const std::array<std::int64_t, kMaxDims> steps = panel_steps(nest, most);
  std::int64_t panels = 1;
  for (int d = 0; d < nest.size(); ++d) {
    const std::int64_t step = steps[static_cast<std::size_t>(d)];
    panels *= (nest[d].extent + step - 1) / step;
  }
  return panels;
}

}  // namespace meshmul
