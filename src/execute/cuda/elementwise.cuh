#pragma once
// Copies, additions and elementwise functions on the device: a range of elements, by the threads of a warp.

#include "execute/cuda/element_functions.cuh"
#include "execute/cuda/element_loops.hpp"
#include "execute/cuda/elements.cuh"

namespace meshmul::cuda {

/// Element `i` of dst. Sum: what is computed in.
template <class Sum>
__device__ inline void do_element(const ElementLoops& loops, std::int64_t i) {
  std::int64_t at[1 + ElementLoops::kMostSources] = {};
  for (int d = loops.num_dims - 1; d >= 0; --d) {
    std::int64_t x = i;
    if (d > 0) {
      i /= loops.extents[d];
      x -= i * loops.extents[d];
    }
#pragma unroll
    for (int o = 0; o < 1 + ElementLoops::kMostSources; ++o)
      if (o < loops.num_operands) at[o] += x * loops.operands[o].strides[d];
  }
  const ElementLoops::Operand& dst = loops.operands[0];
  void* const data = const_cast<void*>(dst.data);
  const Sum x = loops.num_operands > 1 ? load<Sum>(loops.operands[1].data, at[1], loops.operands[1].dtype) : Sum{};
  switch (loops.work) {
    case ElementLoops::Work::kMap: {
      const Sum y = loops.num_operands > 2 ? load<Sum>(loops.operands[2].data, at[2], loops.operands[2].dtype) : Sum{};
      store(data, at[0], dst.dtype, mapped(loops.function, x, y));
      break;
    }
    case ElementLoops::Work::kAddToDst: store(data, at[0], dst.dtype, add(load<Sum>(data, at[0], dst.dtype), x)); break;
  }
}

/// Elements `begin` to `end` (not included): thread `thread` of a warp does every 32nd.
__device__ __noinline__ inline void do_elements(const ElementLoops& loops, std::int64_t begin, std::int64_t end,
                                                int thread) {
  for (std::int64_t i = begin + thread; i < end; i += 32) {
    switch (loops.sum) {
      case Dtype::kI32: do_element<std::int32_t>(loops, i); break;
      case Dtype::kF64: do_element<double>(loops, i); break;
      default: do_element<float>(loops, i); break;
    }
  }
}

}  // namespace meshmul::cuda
