#include "execute/cuda/element_loops.hpp"

#include <algorithm>

namespace meshmul::cuda {
namespace {

/// Adds an operand with its strides in the order of dst's dimensions.
void add_operand(ElementLoops& loops, const ConstView& view, std::span<const std::int64_t> strides) {
  ElementLoops::Operand& operand = loops.operands[loops.num_operands++];
  operand.data = view.data;
  operand.dtype = view.dtype;
  for (std::size_t d = 0; d < strides.size(); ++d) operand.strides[d] = strides[d];
}

ElementLoops loops_over(const View& dst) {
  ElementLoops loops;
  loops.num_dims = dst.num_dims;
  for (int d = 0; d < dst.num_dims; ++d) loops.extents[d] = dst.extents[static_cast<std::size_t>(d)];
  loops.count = dst.num_elements();
  add_operand(loops, dst, {dst.strides.data(), static_cast<std::size_t>(dst.num_dims)});
  return loops;
}

void add_permuted(ElementLoops& loops, const ConstView& src, std::span<const int> permutation) {
  std::int64_t strides[kMaxDims] = {};
  for (int d = 0; d < src.num_dims; ++d)
    strides[d] =
        src.strides[static_cast<std::size_t>(permutation.empty() ? d : permutation[static_cast<std::size_t>(d)])];
  add_operand(loops, src, {strides, static_cast<std::size_t>(src.num_dims)});
}

ElementLoops finished(ElementLoops loops) {
  if (loops.count > 0)
    loops.num_dims = merge_dims({loops.extents, static_cast<std::size_t>(loops.num_dims)},
                                {loops.operands, static_cast<std::size_t>(loops.num_operands)});
  bool integer = true, single = true;
  for (int o = 0; o < loops.num_operands; ++o) {
    const Dtype sum = accumulator_of(loops.operands[o].dtype);
    integer = integer && sum == Dtype::kI32;
    single = single && sum == Dtype::kF32;
  }
  loops.sum = integer ? Dtype::kI32 : single ? Dtype::kF32 : Dtype::kF64;
  return loops;
}

}  // namespace

int merge_dims(std::span<std::int64_t> extents, std::span<ElementLoops::Operand> operands) {
  std::size_t kept = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (extents[d] == 1) continue;
    const bool joins = kept > 0 && std::ranges::all_of(operands, [&](const ElementLoops::Operand& operand) {
                         return operand.strides[kept - 1] == operand.strides[d] * extents[d];
                       });
    if (joins)
      extents[kept - 1] *= extents[d];
    else
      extents[kept++] = extents[d];
    for (ElementLoops::Operand& operand : operands) operand.strides[kept - 1] = operand.strides[d];
  }
  return static_cast<int>(kept);
}

ElementLoops copy_loops(const View& dst, const ConstView& src, std::span<const int> permutation) {
  ElementLoops loops = loops_over(dst);
  add_permuted(loops, src, permutation);
  return finished(loops);
}

ElementLoops reduce_loops(const View& dst, const ConstView& src, std::span<const int> permutation) {
  ElementLoops loops = loops_over(dst);
  add_permuted(loops, src, permutation);
  loops.work = ElementLoops::Work::kAddToDst;
  return finished(loops);
}

ElementLoops map_loops(const View& dst, MapFunction function, std::span<const ConstView> srcs,
                       std::optional<int> along) {
  ElementLoops loops = loops_over(dst);
  for (const ConstView& src : srcs) {
    std::int64_t strides[kMaxDims] = {};
    if (src.num_dims == dst.num_dims && !(along && loops.num_operands == 2))
      for (int d = 0; d < dst.num_dims; ++d) strides[d] = src.strides[static_cast<std::size_t>(d)];
    else if (along)
      strides[*along] = src.strides[0];
    add_operand(loops, src, {strides, static_cast<std::size_t>(dst.num_dims)});
  }
  loops.function = function;
  return finished(loops);
}

}  // namespace meshmul::cuda
