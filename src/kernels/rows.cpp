#include "rows.hpp"

#include <cassert>
#include <utility>

namespace meshmul {
namespace {

bool continues(const Loops::Dim& outer, const Loops::Dim& inner) {
  for (std::size_t k = 0; k < outer.strides.size(); ++k)
    if (outer.strides[k] != inner.strides[k] * inner.extent) return false;
  return true;
}

/// Brings the dimension along which a source is contiguous next to the row, if that is not the row itself.
void find_crossed_source(Loops& loops) {
  const auto last = static_cast<std::size_t>(loops.num_dims - 1);
  for (std::size_t k = 1; k < kMaxOperands; ++k) {
    std::size_t nearest = last;
    for (std::size_t d = 0; d < last; ++d)
      if (loops.dims[d].strides[k] < loops.dims[nearest].strides[k]) nearest = d;
    if (nearest == last) continue;
    std::swap(loops.dims[nearest], loops.dims[last - 1]);
    loops.crossed = loops.dims[last - 1].strides[k] == 1;
    return;
  }
}

}  // namespace

Loops make_loops(std::initializer_list<ConstView> views) {
  assert(views.size() <= kMaxOperands);
  Loops loops;
  const ConstView& dst = *views.begin();
  // 1. One loop a dimension; those of one element need none.
  for (std::size_t d = 0; d < static_cast<std::size_t>(dst.num_dims); ++d) {
    Loops::Dim dim{dst.extents[d], {}};
    std::size_t k = 0;
    for (const ConstView& view : views) {
      assert(view.num_dims == dst.num_dims && view.extents[d] == dim.extent);
      dim.strides[k++] = view.strides[d];
    }
    if (dim.extent == 0) loops.empty = true;
    if (dim.extent != 1) loops.dims[static_cast<std::size_t>(loops.num_dims++)] = dim;
  }
  const auto begin = loops.dims.begin();
  std::stable_sort(begin, begin + loops.num_dims,
                   [](const Loops::Dim& a, const Loops::Dim& b) { return a.strides[0] > b.strides[0]; });
  // 2. Merge neighbours.
  int merged = 0;
  for (int d = 0; d < loops.num_dims; ++d) {
    const Loops::Dim dim = loops.dims[static_cast<std::size_t>(d)];
    Loops::Dim& previous = loops.dims[static_cast<std::size_t>(merged > 0 ? merged - 1 : 0)];
    if (merged > 0 && continues(previous, dim))
      previous = {previous.extent * dim.extent, dim.strides};
    else
      loops.dims[static_cast<std::size_t>(merged++)] = dim;
  }
  loops.num_dims = merged;
  if (merged == 0) loops.dims[static_cast<std::size_t>(loops.num_dims++)] = {1, {1, 1, 1}};
  // 3. A source may run across the rows.
  if (!loops.empty && loops.num_dims >= 2) find_crossed_source(loops);
  return loops;
}

}  // namespace meshmul
